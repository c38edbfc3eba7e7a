-- Words are looked for as SearchTokenizer compares them; PersonalFile makes the columns of words anew.
UPDATE kept_product SET words = words WHERE false;
