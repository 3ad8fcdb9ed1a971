"""How pages look: one inlined style sheet for light and dark, for screen, phone and paper.

A result in a notebook has a small sheet of its own. Its rules apply only inside ``.noisewright``, and its
colours go with a light and with a dark notebook, whichever way the notebook chooses between them.
"""

from __future__ import annotations

from noisewright.report.svg import PALETTE

_DARK_LINES = ("#7fb0ff", "#ff8a96", "#5cd6ad", "#f0b44c", "#b99cf5", "#5fd0de", "#f08cc6", "#b0b7c3")


def _lines(colours: tuple[str, ...]) -> str:
    return " ".join(f"--line-{place}: {colour};" for place, colour in enumerate(colours))


STYLE = f"""
:root {{ color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1e23; --soft: #5a6270; --rule: #d9dde3; --wash: #f5f6f8; --good: #e4f4ec;
  --shade: #9aa3b0; --accent: #1f5fc4; {_lines(PALETTE)} }}
@media (prefers-color-scheme: dark) {{ :root {{
  --paper: #15181d; --ink: #e8eaee; --soft: #a3abb8; --rule: #343a44; --wash: #1e2229; --good: #173a2c;
  --shade: #6b7482; --accent: #8ab4ff; {_lines(_DARK_LINES)} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }}
main, header, footer {{ max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }}
header {{ padding-top: 2.5rem; }}
h1 {{ font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; text-wrap: balance; }}
h2 {{ font-size: 1.35rem; line-height: 1.3; margin: 2.75rem 0 .75rem; padding-top: 1.25rem;
  border-top: 1px solid var(--rule); }}
h3 {{ font-size: 1.08rem; margin: 1.75rem 0 .5rem; }}
h1, h2, h3, nav a, caption, figcaption {{ overflow-wrap: anywhere; }}
.option {{ white-space: nowrap; }}
p, li, dd {{ max-width: 44rem; overflow-wrap: anywhere; }}
.lead {{ font-size: 1.15rem; color: var(--soft); margin: 0 0 1rem; }}
.warning {{ border-left: 4px solid var(--line-1); background: var(--wash); padding: .75rem 1rem; }}
nav ol {{ padding-left: 1.2rem; }}
a {{ color: var(--accent); }}
.date {{ color: var(--soft); font-size: .9rem; margin: 0 0 .75rem; }}
.scroll, pre {{ --under: var(--paper); overflow-x: auto; margin: 1.25rem 0; background-repeat: no-repeat;
  background-image: linear-gradient(to right, var(--under) 30%, transparent),
    linear-gradient(to left, var(--under) 30%, transparent),
    linear-gradient(to right, var(--shade), transparent), linear-gradient(to left, var(--shade), transparent);
  background-position: left, right, left, right;
  background-size: 2.5rem 100%, 2.5rem 100%, .8rem 100%, .8rem 100%;
  background-attachment: local, local, scroll, scroll; }}
.scroll:focus-visible, pre:focus-visible {{ outline: 2px solid var(--accent); }}
.save {{ font-size: .8rem; margin: -.75rem 0 1.5rem; }}
figure .scroll {{ margin: 0; }}
table {{ border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; color: var(--soft); padding-bottom: .5rem; }}
th, td {{ padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }}
thead th {{ border-bottom-width: 2px; font-weight: 600; vertical-align: bottom; line-height: 1.3; }}
thead button {{ font: inherit; color: inherit; text-align: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; }}
thead button::after {{ content: "\\a0↕" / ""; color: var(--soft); font-weight: 400; }}
[aria-sort="ascending"] button::after {{ content: "\\a0↑" / ""; color: inherit; }}
[aria-sort="descending"] button::after {{ content: "\\a0↓" / ""; color: inherit; }}
tbody th {{ font-weight: 500; white-space: nowrap; }}
td:not(.number) {{ min-width: 7rem; }}
.number {{ text-align: right; padding-right: 1rem; }}
td.number {{ white-space: nowrap; }}
td.best {{ background: var(--good); font-weight: 650; }}
.verdict {{ display: inline-block; border: 2px solid currentColor; border-radius: .25rem; color: var(--ink);
  padding: 0 .6rem; margin-right: .4rem; white-space: nowrap; }}
summary {{ cursor: pointer; }}
.mark {{ font-size: .75rem; font-weight: 400; }}
dl {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem 1.5rem; }}
dl div {{ border-top: 1px solid var(--rule); padding-top: .35rem; }}
dt {{ color: var(--soft); font-size: .85rem; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
figure {{ margin: 1.5rem 0; }}
figure svg {{ width: 100%; min-width: var(--least); max-width: var(--most); height: auto; display: block;
  color: var(--ink); }}
.panels {{ display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }}
figure svg text {{ font-family: inherit !important; }}
figcaption {{ color: var(--soft); font-size: .92rem; max-width: 48rem; margin-top: .5rem; }}
pre {{ --under: var(--wash); background-color: var(--wash); padding: .9rem 1rem; font-size: .85rem;
  line-height: 1.45; white-space: pre; }}
pre code {{ overflow-wrap: normal; }}
.commands {{ white-space: normal; }}
.commands span {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
.commands > span {{ display: block; padding-left: 2ch; text-indent: -2ch; }}
.commands .option {{ white-space: nowrap; }}
.record pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
code {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }}
footer {{ color: var(--soft); font-size: .85rem; padding-top: 2rem; padding-bottom: 3rem; }}
@media (max-width: 40rem) {{ h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.2rem; }}
  h1, h2, h3 {{ hyphens: auto; }}
  main, header, footer {{ padding-left: 1rem; padding-right: 1rem; }}
  table {{ font-size: .8rem; }} th, td, .number {{ padding-right: .6rem; }}
  pre {{ font-size: .78rem; }}
  tbody th {{ white-space: normal; min-width: 6rem; }}
  tbody th, thead th:first-child {{ position: sticky; left: 0; background: var(--paper); max-width: 50vw; }}
  th {{ overflow-wrap: break-word; }}
  caption span:only-child {{ display: inline-block; position: sticky; left: 0;
    max-width: calc(100vw - 2rem); }} }}
@media print {{
  @page {{ margin: 18mm 16mm; }}
  :root {{ color-scheme: light; --paper: #ffffff; --ink: #000000; --soft: #333333; --rule: #999999;
    --wash: #ffffff; --good: #ffffff; --accent: #000000; {_lines(PALETTE)} }}
  body {{ font-size: 10.5pt; line-height: 1.45; counter-reset: part; }}
  main, header, footer {{ max-width: none; padding-left: 0; padding-right: 0; }}
  section {{ break-inside: avoid; counter-increment: part; }}
  h2::before {{ content: counter(part) ". "; }}
  h1, h2, h3, caption {{ break-after: avoid; }}
  figure, tr, dl div, .warning {{ break-inside: avoid; }}
  .scroll, figure, pre {{ overflow: visible; }}
  pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
  tbody th, td.number {{ white-space: normal; }}
  figure svg {{ min-width: 0; max-height: 22cm; }}
  .panels {{ grid-template-columns: repeat(auto-fit, minmax(7cm, 1fr)); }}
  a[href^="http"]::after {{ content: " (" attr(href) ")"; overflow-wrap: anywhere; }}
  details::details-content {{ content-visibility: visible; }}
  .record, .save {{ display: none; }} thead button::after {{ content: none; }} }}
"""

FRAGMENT_STYLE = (
    f".noisewright {{ max-width: 62rem; line-height: 1.5; {_lines(PALETTE)} }}"
    + """
.noisewright .lead { font-size: 1.1em; }
.noisewright .warning { border-left: 4px solid var(--line-1); padding: .5em .75em; }
.noisewright .verdict { border: 2px solid currentColor; border-radius: .25em; padding: 0 .5em; }
.noisewright .scroll, .noisewright pre { overflow-x: auto; }
.noisewright .option, .noisewright td.number { white-space: nowrap; }
.noisewright table { border-collapse: collapse; margin: .5em 0; font-variant-numeric: tabular-nums; }
.noisewright caption { text-align: left; caption-side: top; }
.noisewright th, .noisewright td { padding: .25em 1em .25em 0; text-align: left; vertical-align: top;
  background: none; border: 0; border-bottom: 1px solid rgb(128 128 128 / 40%); }
.noisewright thead th { border-bottom-width: 2px; vertical-align: bottom; }
.noisewright .number { text-align: right; }
.noisewright td.best { background: rgb(26 147 111 / 22%); font-weight: 600; }
.noisewright .mark, .noisewright .save, .noisewright figcaption, .noisewright dt { font-size: .85em; }
.noisewright dl { display: grid; gap: .5em 1.5em;
  grid-template-columns: repeat(auto-fit, minmax(15em, 1fr)); }
.noisewright dd { margin: 0; overflow-wrap: anywhere; }
.noisewright figure { margin: 1em 0; }
.noisewright .panels { display: grid; gap: 1em;
  grid-template-columns: repeat(auto-fit, minmax(min(20em, 100%), 1fr)); }
.noisewright svg { width: 100%; min-width: var(--least); max-width: var(--most); height: auto; }
.noisewright svg text { font-family: inherit !important; }
.noisewright .commands > span { display: block; white-space: pre-wrap; }
.noisewright a { color: inherit; text-decoration: underline; }
"""
)
