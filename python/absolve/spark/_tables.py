"""Tables that are made of the table of the data source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from pyspark.sql import functions

from ._replace import Replacement
from ._schema import INPUTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def register(spark: SparkSession) -> None:
    """Registers the data source under the name ``absolve``, for the number of tasks that Spark runs at a time now."""
    from ._source import LinkSource

    # Planning runs beside the driver, and cannot ask. Spark Connect has no context.
    cores = spark.sparkContext.defaultParallelism if hasattr(spark, "sparkContext") else 1
    source: Any = type(LinkSource.__name__, (LinkSource,), {"cores": cores})
    spark.dataSource.register(source)


def inputs(parts: DataFrame) -> DataFrame:
    """Returns the table of inputs with one row for each archive. ``parts`` is the table ``inputs`` of the data source.

    An archive that an index divides has a row for each part there. The status of an archive is the worst of its parts, and
    ``damaged_at`` the first offset. ``parts`` is the number of parts that were read.
    """
    severity = functions.when(functions.col("status") == "failed", 2)
    severity = severity.when(functions.col("status") == "truncated", 1).otherwise(0)
    total = [functions.sum(name).alias(name) for name in ("problems", "skipped", "records", "documents", "links", "seconds")]
    grouped = parts.withColumn("severity", severity).groupBy("warc").agg(
        functions.countDistinct("part").alias("parts"),
        functions.max("severity").alias("severity"),
        functions.min("damaged_at").alias("damaged_at"),
        functions.min_by("problem", functions.when(functions.col("problem").isNotNull(), functions.col("part"))).alias(
            "problem"
        ),
        *total,
    )
    names = functions.array(*(functions.lit(name) for name in ("ok", "truncated", "failed")))
    columns = [name for name in INPUTS if name != "part"]
    return grouped.withColumn("status", names[functions.col("severity")]).select(*columns)


def write_tables(spark: SparkSession, paths: str | Iterable[str], output: str, **options: Any) -> None:
    """Reads archives once, and writes the links to ``output/table=links`` and the inputs to ``output/table=inputs``.

    Both are Parquet. They are written to a folder beside ``output``, which takes its place when they are complete: if a
    run fails, what was in ``output`` stays there. On stores without folders, such as S3, renaming copies every object.
    """
    replacement = Replacement(spark, output)
    reader = spark.read.format("absolve").options(**options, table="all")
    table = reader.load([paths] if isinstance(paths, str) else list(paths))
    table.write.partitionBy("table").mode("overwrite").parquet(replacement.new)
    replacement.commit()


def webgraph(links: DataFrame) -> DataFrame:
    """Returns the links between pages with the names of the Archives Unleashed Toolkit: ``crawl_date``, ``src``, ``dest``.

    If ``links`` has the column ``text``, there is ``anchor``, too: null for AREA elements.
    """
    is_anchor = functions.col("element").isin("a", "area") & (functions.col("attribute") == "href")
    anchor = [functions.col("text").alias("anchor")] if "text" in links.columns else []
    return links.where(is_anchor & functions.col("target").isNotNull()).select(
        functions.regexp_replace(functions.substring("date", 1, 10), "-", "").alias("crawl_date"),
        functions.col("page_url").alias("src"),
        functions.col("target").alias("dest"),
        *anchor,
    )
