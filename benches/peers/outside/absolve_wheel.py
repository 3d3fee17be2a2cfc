"""The Python package of absolve. Arguments: number of rounds, folders."""

import importlib.metadata

import absolve

import documents

rewriter = absolve.Rewriter()
version = importlib.metadata.version("absolve")
documents.measure("absolve, Python", version, lambda url, source: rewriter.rewrite(source, url).content)
