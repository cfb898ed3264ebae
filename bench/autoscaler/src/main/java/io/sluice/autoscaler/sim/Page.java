// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

/** The report as one page without anything from elsewhere. */
final class Page {
    private static final String HEAD =
            """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Autoscaler in simulation</title>
            <style>
            :root{color-scheme:light dark;--ours:#0a6cbd;--bare:#c2571a;--best:#9992}
            @media(prefers-color-scheme:dark){:root{--ours:#5ab0f2;--bare:#f0985a;--best:#bbb3}}
            body{font:15px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:86rem;padding:0 1rem}
            .cases{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem}
            figure{margin:0}figcaption{font-size:.85rem}svg{width:100%}
            path{fill:none;stroke-width:1.5}.ours{stroke:var(--ours)}.bare{stroke:var(--bare)}
            .best{fill:var(--best);stroke:none}text{font-size:11px;fill:currentColor}
            b.ours{color:var(--ours)}b.bare{color:var(--bare)}
            td,th{text-align:left;padding:.1rem 1rem .1rem 0}.missed{color:#c22}
            </style>
            <h1>Autoscaler in simulation</h1>
            <p><b class="ours">Sluice</b> and <b class="bare">the bare engine with its defaults</b> on the
            same traces. Grey: the least slots with which subtasks are busy 70 % of their time, and none more than 74 %.
            Below each: what waits, in minutes of load.</p>
            """;

    private Page() {}

    static String of(Summary summary) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<table><tr><th>Bar<th>Reached<th></tr>\n");
        for (Summary.Bar bar : summary.bars()) {
            page.append(
                    "<tr%s><td>%s<td>%s<td>%s</tr>%n"
                            .formatted(
                                    bar.met() ? "" : " class=\"missed\"",
                                    bar.what(),
                                    bar.reached(),
                                    bar.met() ? "met" : "missed"));
        }
        page.append("</table>\n<div class=\"cases\">\n");
        for (Comparison each : summary.comparisons()) {
            page.append("<figure>").append(Picture.of(each)).append("<figcaption>");
            page.append(each.scenario().name())
                    .append("; rescales ")
                    .append(each.oursScore().rescales())
                    .append(" and ")
                    .append(each.bareScore().rescales())
                    .append("</figcaption></figure>\n");
        }
        return page.append("</div></html>\n").toString();
    }
}
