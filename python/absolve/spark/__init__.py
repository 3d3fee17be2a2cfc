"""Links of web archives on Apache Spark.

A data source for Spark 4 reads WARC archives as a table of links, with one row for each link::

    import absolve.spark

    absolve.spark.register(spark)
    links = spark.read.format("absolve").option("profile", "whatwg").load("crawl/*.warc.gz")

Spark distributes the archives, repeats tasks that fail, and commits what is written. The record batches are built in Rust.

* :class:`LinkSource`, the data source, has the options.
* :func:`inputs` tells for each archive whether it was read to its end.
* :func:`write_tables` writes links and inputs in one pass.
* :func:`webgraph` has the names of columns of the Archives Unleashed Toolkit.
* :func:`links_of_pages` finds the links of a DataFrame of pages, also on Spark 3.5.
* :func:`rewrite` rewrites archives.

``docs/spark.md`` is the guide. The executors need this package and pyarrow.
"""

from __future__ import annotations

try:
    import pyspark  # noqa: F401
except ImportError:
    raise ImportError("absolve.spark needs PySpark: pip install 'absolve[spark]'") from None

from ._pages import links_of_pages
from ._schema import INPUTS_SCHEMA, LINKS_SCHEMA
from ._tables import inputs, register, webgraph, write_tables

__all__ = [
    "INPUTS_SCHEMA",
    "LINKS_SCHEMA",
    "inputs",
    "links_of_pages",
    "register",
    "webgraph",
    "write_tables",
]

try:
    import pyspark.sql.datasource  # noqa: F401
except ImportError:
    # Spark 3.5 has no data sources in Python.
    pass
else:
    from ._rewrite import rewrite
    from ._source import LinkSource

    __all__ += ["LinkSource", "rewrite"]
