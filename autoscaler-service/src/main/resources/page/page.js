// One page for the list of jobs and for each job: asks the service, draws SVG, follows each cycle.
'use strict';
const SVG = 'http://www.w3.org/2000/svg';
const main = document.getElementById('main');
const path = location.pathname.split('/').filter(Boolean);

function html(tag, attributes, ...children) { return fill(document.createElement(tag), attributes, children); }
function svg(tag, attributes, ...children) { return fill(document.createElementNS(SVG, tag), attributes, children); }
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function number(value) {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'string') return value === 'Infinity' ? '∞' : value;
  const size = Math.abs(value);
  if (size >= 1e6) return (value / 1e6).toFixed(1) + ' M';
  if (size >= 1e4) return (value / 1e3).toFixed(0) + ' k';
  return size >= 100 ? value.toFixed(0) : String(+value.toFixed(2));
}
function clock(seconds) { return new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }); }

// The token stays in this tab: it is gone when the tab closes, and is sent to this service alone.
const TOKEN = 'sluice.token';
class NoToken extends Error {}

async function ask(url) {
  const token = sessionStorage.getItem(TOKEN);
  const answer = await fetch(url, token ? { headers: { Authorization: 'Bearer ' + token } } : {});
  if (answer.ok) return answer.json();
  const why = answer.headers.get('Content-Type') === 'application/json' ? (await answer.json()).error : '';
  if (answer.status === 401) {
    sessionStorage.removeItem(TOKEN);
    throw new NoToken(token ? why : '');
  }
  throw new Error(answer.status === 404 ? 'No such job asks for autoscaling.' : why || 'The service answered ' + answer.status + '.');
}

function tokenForm(why) {
  if (document.getElementById('token')) return; // somebody types
  const input = html('input', { id: 'token', type: 'password', autocomplete: 'off', spellcheck: 'false', required: '' });
  const form = html('form', { class: 'card' }, html('label', { for: 'token' }, 'Token of a Kubernetes account that may read these jobs'), input, html('button', {}, 'Show'),
    html('p', {}, 'For example that of ', html('code', {}, 'kubectl create token SERVICEACCOUNT -n NAMESPACE'), '. It is kept in this tab only.'));
  if (why) form.prepend(html('p', { class: 'decision failed' }, why));
  if (location.protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) {
    form.prepend(html('p', { class: 'decision failed' }, 'This page was not loaded over HTTPS, nor from your own machine: others on the way may read the token. Use kubectl port-forward.'));
  }
  form.addEventListener('submit', event => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, input.value.trim());
    form.remove();
    follow();
  });
  main.replaceChildren(form);
  input.focus();
}

function jobs(list) {
  const rows = list.map(job => html('tr', {},
    html('td', {}, html('a', { href: '/jobs/' + job.namespace + '/' + job.name }, job.namespace + '/' + job.name)),
    html('td', {}, job.outcome), html('td', {}, job.why)));
  main.replaceChildren(html('h2', {}, list.length + (list.length === 1 ? ' job' : ' jobs')),
    html('table', {}, html('tr', {}, html('th', {}, 'Job'), html('th', {}, 'Decision'), html('th', {}, 'Why')), ...rows));
}

function decision(job) {
  const card = html('section', { class: 'card decision ' + job.decision.outcome },
    html('strong', {}, job.decision.outcome), ': ' + job.decision.why + '.',
    html('div', {}, 'Next: ' + job.decision.next + '.'));
  const wished = job.decision.proposed || job.decision.published;
  if (wished) {
    const changes = job.vertices.filter(v => wished[v.id] !== undefined && wished[v.id] !== v.parallelism)
      .map(v => v.name + ' ' + v.parallelism + ' → ' + wished[v.id]);
    if (changes.length) card.append(html('div', {}, changes.join(', ')));
  }
  const facts = [['Rescales today', job.counts.rescalesOfTheDay + ' of ' + job.counts.rescalesPerDay],
    ['A rescale stops the job', job.restartSeconds === undefined ? '–' : number(job.restartSeconds) + ' s'],
    ['Last look', new Date(job.at).toLocaleTimeString()]];
  card.append(html('ul', { class: 'facts' }, ...facts.map(([what, value]) => html('li', {}, what + ' ', html('b', {}, value)))));
  for (const ignored of job.ignoredOptions) card.append(html('div', {}, ignored));
  return card;
}

function graph(job) {
  const depth = {};
  const known = new Set(job.vertices.map(v => v.id));
  const deep = (v, seen) => depth[v.id] ??= seen.has(v.id) ? 0
    : Math.max(0, ...v.inputs.filter(i => known.has(i.from)).map(i => 1 + deep(job.vertices.find(u => u.id === i.from), new Set([...seen, v.id]))));
  job.vertices.forEach(v => deep(v, new Set()));
  const rows = {};
  const at = {};
  for (const v of job.vertices) {
    const row = rows[depth[v.id]] = (rows[depth[v.id]] ?? -1) + 1;
    at[v.id] = { x: 8 + depth[v.id] * 200, y: 8 + row * 76 };
  }
  const width = 8 + (Math.max(0, ...Object.values(depth)) + 1) * 200;
  const height = 22 + (Math.max(0, ...Object.values(rows)) + 1) * 76;
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'job graph' });
  for (const v of job.vertices) {
    for (const input of v.inputs) {
      if (!at[input.from]) continue;
      const from = at[input.from], to = at[v.id];
      const dip = to.x - from.x > 200 ? 62 : 0; // below the vertices in between
      drawing.append(svg('path', { class: 'edge', d: `M${from.x + 160} ${from.y + 30}C${from.x + 182 + dip} ${from.y + 30 + dip} ${to.x - 22 - dip} ${to.y + 30 + dip} ${to.x} ${to.y + 30}` }, svg('title', {}, input.ship)));
    }
  }
  for (const v of job.vertices) {
    const { x, y } = at[v.id];
    const load = Math.min(1, Math.max(0, +v.metrics.load || 0));
    const name = v.name.length > 22 ? v.name.slice(0, 21) + '…' : v.name;
    drawing.append(svg('rect', { x, y, width: 160, height: 60, rx: 6 }), svg('rect', { class: 'meter', x, y, width: 160 * load, height: 60, rx: 6 }),
      svg('text', { class: 'name', x: x + 8, y: y + 19 }, name, svg('title', {}, v.name)),
      svg('text', { x: x + 8, y: y + 36 }, 'parallelism ' + v.parallelism + (v.published !== undefined && v.published !== v.parallelism ? ' → ' + v.published : '')),
      svg('text', { x: x + 8, y: y + 52 }, 'load ' + Math.round(load * 100) + ' %'));
  }
  return html('section', { class: 'card graph' }, drawing);
}

function chart(label, times, lines, marks, options) {
  const width = 420, height = options.height, edge = 42;
  const values = lines.flatMap(line => line.values).filter(v => v !== null);
  const top = Math.max(options.least, ...values) * 1.08;
  const from = times[0], to = Math.max(times[times.length - 1], from + 60);
  const x = t => edge + (t - from) / (to - from) * (width - edge - 4);
  const y = v => height - 16 - v / top * (height - 26);
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    svg('line', { class: 'grid', x1: edge, x2: width, y1: y(0), y2: y(0) }), svg('line', { class: 'grid', x1: edge, x2: width, y1: y(top / 1.08), y2: y(top / 1.08) }),
    svg('text', { x: 0, y: y(top / 1.08) + 4 }, options.unit(top / 1.08)), svg('text', { x: 0, y: y(0) + 4 }, options.unit(0)),
    svg('text', { x: edge, y: height - 3 }, clock(from)), svg('text', { x: width - 4, y: height - 3, 'text-anchor': 'end' }, clock(to)),
    svg('text', { x: width - 4, y: 9, 'text-anchor': 'end' }, label));
  for (const mark of marks) {
    if (mark.at < from || mark.at > to) continue;
    drawing.append(svg('line', { class: 'mark ' + mark.outcome, x1: x(mark.at), x2: x(mark.at), y1: 12, y2: height - 16 }, svg('title', {}, clock(mark.at) + ' ' + mark.outcome + ': ' + mark.why)));
  }
  for (const line of lines) {
    let d = '', pen = 'M', last = null;
    line.values.forEach((value, i) => {
      if (value === null) { pen = 'M'; last = null; return; }
      if (line.steps && last !== null) d += `L${x(times[i]).toFixed(1)} ${y(last).toFixed(1)}`;
      d += `${pen}${x(times[i]).toFixed(1)} ${y(value).toFixed(1)}${pen === 'M' ? 'h0' : ''}`; // a dot, if nothing follows
      pen = 'L'; last = value;
    });
    drawing.append(svg('path', { class: 'line ' + line.kind, d }));
  }
  return drawing;
}

function vertex(job, v) {
  const { times, vertices, marks } = job.timeline;
  const series = vertices[v.id];
  const card = html('section', { class: 'card' }, html('h3', {}, v.name), html('ul', { class: 'facts' },
    ...[['parallelism', v.parallelism + (v.published !== undefined && v.published !== v.parallelism ? ' → ' + v.published : '')],
      ['load', number(v.metrics.load)], ['true rate', number(v.metrics.true_processing_rate) + '/s'],
      ['target', number(v.metrics.target_data_rate) + '/s'], ['lag', number(v.metrics.lag)]].map(([what, value]) => html('li', {}, what + ' ', html('b', {}, value)))));
  if (times.length < 2 || !series) return card;
  card.append(
    chart('records a second', times, [{ kind: 'rate', values: series.true_processing_rate }, { kind: 'target', values: series.target_data_rate }], marks, { height: 120, least: 1, unit: number }),
    chart('load', times, [{ kind: 'load', values: series.load }], marks, { height: 80, least: 1, unit: number }),
    chart('parallelism', times, [{ kind: 'size', values: series.parallelism, steps: true }], marks, { height: 80, least: 2, unit: number }));
  if (series.lag.some(value => value)) card.append(chart('lag, records', times, [{ kind: 'lag', values: series.lag }], marks, { height: 80, least: 1, unit: number }));
  return card;
}

function job(it) {
  document.title = it.namespace + '/' + it.name + ' – Sluice autoscaler';
  document.getElementById('where').textContent = it.kind + ' ' + it.namespace + '/' + it.name;
  const legend = html('p', { class: 'legend' });
  for (const [kind, text] of [['rate', 'true rate'], ['target', 'target rate'], ['load', 'load'], ['size', 'parallelism'], ['lag', 'lag']]) legend.append(html('i', { class: 'k-' + kind }), text);
  legend.append('. Upright: decisions.');
  const marks = [...it.timeline.marks].reverse().map(mark => html('li', {}, html('time', {}, clock(mark.at)), html('span', {}, mark.outcome), html('span', {}, mark.why)));
  const seen = it.vertices.length
    ? [graph(it), html('h2', {}, 'Vertices'), legend, html('div', { class: 'vertices' }, ...it.vertices.map(v => vertex(it, v)))]
    : [html('p', {}, 'Nothing is seen of its vertices at present.')];
  main.replaceChildren(decision(it), html('h2', {}, 'Job'), ...seen, html('h2', {}, 'Decisions'), marks.length ? html('ol', { class: 'marks' }, ...marks) : html('p', {}, 'None yet but to leave things as they are.'));
}

async function follow() {
  try {
    if (path[0] === 'jobs' && path.length === 3) job(await ask('/explain/' + path[1] + '/' + path[2]));
    else jobs(await ask('/explain'));
  } catch (failed) {
    if (failed instanceof NoToken) { tokenForm(failed.message); return; }
    main.replaceChildren(html('p', { class: 'card decision failed' }, failed.message));
  }
}
follow();
setInterval(follow, 15000);
