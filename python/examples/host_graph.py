"""Makes a graph of hosts from web archives: how many links lead from one host to another, in Parquet.

    spark-submit host_graph.py 'crawl/*.warc.gz' hosts.parquet
"""

import sys

from pyspark.sql import Column, DataFrame, SparkSession, functions

import absolve.spark


def host(column: str) -> Column:
    """Returns the host of a URL; null if it has none."""
    return functions.lower(functions.expr(f"try_parse_url({column}, 'HOST')"))


def host_graph(links: DataFrame) -> DataFrame:
    """Returns the links between different hosts, counted."""
    graph = absolve.spark.webgraph(links).select(host("src").alias("source"), host("dest").alias("destination"))
    between = graph.where("source IS NOT NULL AND destination IS NOT NULL AND source <> destination")
    return between.groupBy("source", "destination").count()


def main(archives: str, output: str) -> None:
    spark = SparkSession.builder.appName("host graph").getOrCreate()
    absolve.spark.register(spark)
    columns = "date,page_url,element,attribute,target"
    links = spark.read.format("absolve").option("profile", "whatwg").option("columns", columns).load(archives)
    host_graph(links).write.mode("overwrite").parquet(output)
    spark.read.parquet(output).orderBy(functions.desc("count")).show(20, truncate=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
