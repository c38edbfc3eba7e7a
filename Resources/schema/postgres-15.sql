-- A picture is kept while a product names it. A count would be a row that all write who use the same picture.
CREATE INDEX product_picture_by_picture ON product_picture (picture);

-- Servers of earlier versions write a count, and delete a picture where it is zero. What they write becomes 1 where a
-- product names the picture, else 0; servers of this version leave it as it is.
CREATE FUNCTION picture_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.uses := CASE WHEN EXISTS (SELECT FROM product_picture WHERE picture = NEW.id) THEN 1 ELSE 0 END; RETURN NEW; END
$$;

CREATE TRIGGER picture_used BEFORE UPDATE OF uses ON picture
FOR EACH ROW EXECUTE FUNCTION picture_use();
