"""Asks a Prometheus each query of a dashboard; fails where one returns no number."""
import json
import math
import sys
import urllib.parse
import urllib.request

monitor, path = sys.argv[1:]


def answer(place, **question):
    query = urllib.parse.urlencode(question)
    with urllib.request.urlopen(f"{monitor}/api/v1/{place}?{query}", timeout=10) as response:
        return json.load(response)["data"]


dashboard = json.load(open(path))
asked, silent = 0, []
for panel in dashboard["panels"]:
    for target in panel["targets"]:
        expression = (
            target["expr"].replace("$__rate_interval", "15s").replace("$job", "market")
            .replace("$instance", ".*"))
        numbers = [float(row["value"][1]) for row in answer("query", query=expression)["result"]]
        asked += 1
        if all(math.isnan(number) for number in numbers):
            silent.append(f"{panel['title']}: {expression}")
for variable in dashboard["templating"]["list"]:
    if variable["type"] != "query":
        continue
    series, label = variable["query"][len("label_values("):-1].rsplit(", ", 1)
    asked += 1
    if not answer(f"label/{label}/values", **{"match[]": series.replace("$job", "market")}):
        silent.append(variable["query"])
rules = [rule for group in answer("rules")["groups"] for rule in group["rules"]]
sick = [rule["name"] for rule in rules if rule["health"] != "ok"]
print(f"{asked - len(silent)} of {asked} queries return data; {len(rules) - len(sick)} of "
      f"{len(rules)} rules can be worked out")
for line in silent + sick:
    print("nothing from", line)
sys.exit(1 if silent or sick or not rules else 0)
