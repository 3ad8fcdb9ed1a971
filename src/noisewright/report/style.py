"""How pages look: one style sheet, inlined, for light and dark, for screen, phone and paper."""

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
.scroll {{ overflow-x: auto; margin: 1.25rem 0; background-repeat: no-repeat;
  background-image: linear-gradient(to right, var(--paper) 30%, transparent),
    linear-gradient(to left, var(--paper) 30%, transparent),
    linear-gradient(to right, var(--shade), transparent), linear-gradient(to left, var(--shade), transparent);
  background-position: left, right, left, right;
  background-size: 2.5rem 100%, 2.5rem 100%, .8rem 100%, .8rem 100%;
  background-attachment: local, local, scroll, scroll; }}
figure .scroll {{ margin: 0; }}
table {{ border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; color: var(--soft); padding-bottom: .5rem; }}
th, td {{ padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }}
thead th {{ border-bottom-width: 2px; font-weight: 600; vertical-align: bottom; line-height: 1.3; }}
tbody th {{ font-weight: 500; white-space: nowrap; }}
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
figure svg {{ width: 100%; min-width: var(--least); height: auto; display: block; color: var(--ink); }}
.panels {{ display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }}
.panels .scroll:only-child {{ max-width: 40rem; }}
figure svg text {{ font-family: inherit !important; }}
figcaption {{ color: var(--soft); font-size: .92rem; max-width: 48rem; margin-top: .5rem; }}
pre {{ background: var(--wash); padding: .9rem 1rem; overflow-x: auto; font-size: .85rem;
  line-height: 1.45; white-space: pre; }}
.record pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
code {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }}
footer {{ color: var(--soft); font-size: .85rem; padding-top: 2rem; padding-bottom: 3rem; }}
@media (max-width: 40rem) {{ h1 {{ font-size: 1.6rem; }}
  main, header, footer {{ padding-left: 1rem; padding-right: 1rem; }}
  table {{ font-size: .78rem; }} th, td, .number {{ padding-right: .35rem; }}
  thead th, .wide td::before {{ overflow-wrap: break-word; }}
  tbody th, td.number {{ white-space: normal; }}
  .wide {{ font-size: .85rem; }} .wide, .wide tbody, .wide caption {{ display: block; }}
  .wide thead {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
  .wide tr {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(6.2rem, 1fr));
    gap: 0 .75rem; padding: .4rem 0;
    border-bottom: 1px solid var(--rule); }}
  .wide th, .wide td {{ border: 0; text-align: left; padding: .15rem 0; }}
  .wide tbody th {{ font-weight: 650; }}
  .wide tbody th, .wide td:not(.number) {{ grid-column: 1 / -1; }}
  .wide td.best {{ padding: .15rem .35rem; }}
  .wide td::before {{ content: attr(data-label); display: block; color: var(--soft); font-weight: 400; }} }}
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
  .record {{ display: none; }} }}
"""
