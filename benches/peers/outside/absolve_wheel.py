"""The Python package of absolve. Arguments: number of rounds, folders."""

import importlib.metadata

import absolve

import documents

rewriter = absolve.Rewriter()
documents.measure("absolve, Python", importlib.metadata.version("absolve"), lambda url, source: rewriter.rewrite(source, url).content)
