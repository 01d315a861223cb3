"""Peers that do less than we do: parse, select the cards, read their text.

Reads lines `file TAB selector`; prints one JSON object: name -> file -> median seconds.
"""

import json
import statistics
import sys
import time

from bs4 import BeautifulSoup
from selectolax.lexbor import LexborHTMLParser


def soup(parser):
    def read(html, selector):
        return [card.get_text(" ") for card in BeautifulSoup(html, parser).select(selector)]

    return read


def lexbor(html, selector):
    return [card.text(separator=" ") for card in LexborHTMLParser(html).css(selector)]


PEERS = {
    "BeautifulSoup + lxml": (soup("lxml"), 3),
    "BeautifulSoup + html.parser": (soup("html.parser"), 3),
    "selectolax": (lexbor, 5),
}

pages = [line.rstrip("\n").split("\t") for line in sys.stdin]
texts = {file: open(file, encoding="utf-8", errors="replace").read() for file, _ in pages}
out = {}
for name, (read, rounds) in PEERS.items():
    times = {file: [] for file, _ in pages}
    for _ in range(rounds):
        for file, selector in pages:
            started = time.perf_counter()
            read(texts[file], selector)
            times[file].append(time.perf_counter() - started)
    out[name] = {file: statistics.median(seconds) for file, seconds in times.items()}
json.dump(out, sys.stdout)
