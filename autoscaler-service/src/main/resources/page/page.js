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
function when(time) { // in 3 min (21:45)
  const at = new Date(time), seconds = Math.round((at - Date.now()) / 1000), distance = Math.abs(seconds);
  const [size, unit] = distance < 90 ? [1, 's'] : distance < 5400 ? [60, 'min'] : [3600, 'h'];
  const text = Math.round(distance / size) + ' ' + unit;
  return (seconds < 0 ? text + ' ago' : 'in ' + text) + ' (' + clock(at / 1000) + ')';
}
function time(seconds) { // how long, in one unit
  if (seconds === undefined || seconds === null) return '–';
  if (seconds < 1) return '0 s';
  const [size, unit] = seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : [3600, 'h'];
  return Math.round(seconds / size) + ' ' + unit;
}
// Puts the elements in this order, and touches none that stays where it is: what somebody hovers over or types in remains.
function arrange(parent, elements) {
  const wanted = new Set(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, i) => { if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] || null); });
}
const kept = new Map();
// The element that was made for the same data before, or a new one.
function keep(id, data, make) {
  const seen = JSON.stringify(data), before = kept.get(id);
  if (before && before.seen === seen) return before.element;
  const element = make();
  kept.set(id, { seen, element });
  return element;
}
function write(element, text) { if (element.textContent !== text) element.textContent = text; }
function day(seconds) { return new Date(seconds * 1000).toLocaleString([], { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }); }
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

const wasted = job => job.slots && job.slots.needed !== undefined ? Math.max(0, job.slots.used - job.slots.needed) : undefined;
// What the list shows: title, what is sorted by, text.
const COLUMNS = [
  { title: 'Job', by: job => job.namespace + '/' + job.name },
  { title: 'Records/s', by: job => job.rates.at(-1), number: true },
  { title: 'Slots', by: job => job.slots?.used, text: number, number: true },
  { title: 'Needed', by: job => job.slots?.needed, text: number, number: true },
  { title: 'Wasted', by: wasted, text: number, number: true },
  { title: 'Cost an hour', by: job => job.costPerHour?.used, text: value => value === undefined ? '–' : value.toFixed(2), number: true },
  { title: 'Lag', by: job => job.lagSeconds, text: time, number: true },
  { title: 'Rescales today', by: job => job.rescalesOfTheDay, number: true },
  { title: 'Decision', by: job => job.outcome },
];
const BEHIND = 120; // seconds
const list = { jobs: [], sort: 0, down: false, rows: new Map() };

function sparkline(values) {
  const top = Math.max(1e-9, ...values.filter(value => value !== null));
  const d = values.map((value, i) => value === null ? '' : (i === 0 || values[i - 1] === null ? 'M' : 'L') + i + ' ' + (19 - value / top * 18).toFixed(1)).join('');
  return svg('svg', { class: 'spark', viewBox: `0 0 ${Math.max(1, values.length - 1)} 20`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('path', { class: 'line rate', d }));
}

function row(job) {
  const id = job.kind + '/' + job.namespace + '/' + job.name;
  let known = list.rows.get(id);
  if (!known) {
    const cells = COLUMNS.map(column => html('td', { 'data-title': column.title, ...(column.number ? { class: 'number' } : {}) }));
    known = { element: html('tr', {}, ...cells), cells };
    cells[0].append(html('a', { href: '/jobs/' + job.namespace + '/' + job.name }, job.namespace + '/' + job.name));
    cells[1].append(html('span', {}), html('span', {}));
    cells.at(-1).append(html('span', { class: 'outcome' }), html('span', {}));
    list.rows.set(id, known);
  }
  const rates = JSON.stringify(job.rates);
  if (known.rates !== rates) {
    known.rates = rates;
    known.cells[1].replaceChildren(html('span', {}, number(job.rates.at(-1))), sparkline(job.rates));
  }
  COLUMNS.forEach((column, i) => { if (column.text) write(known.cells[i], column.text(column.by(job))); });
  write(known.cells[7], job.rescalesOfTheDay + ' of ' + job.rescalesPerDay);
  const [outcome, why] = known.cells.at(-1).children;
  outcome.className = 'outcome ' + job.outcome;
  write(outcome, job.outcome);
  write(why, ' ' + job.why);
  known.cells[6].classList.toggle('behind', job.lagSeconds > BEHIND);
  return known.element;
}

function tiles(jobs) {
  const sum = by => jobs.reduce((all, job) => all + (by(job) || 0), 0);
  const cost = sum(job => job.costPerHour?.used);
  return [['Jobs', jobs.length], ['Slots', sum(job => job.slots?.used)], ['Needed', sum(job => job.slots?.needed)], ['Wasted', sum(wasted)],
    ...(cost ? [['Cost an hour', cost.toFixed(2)], ['Needed an hour', sum(job => job.costPerHour.needed).toFixed(2)]] : []),
    ['More than 2 min behind', jobs.filter(job => job.lagSeconds > BEHIND).length], ['Rescales today', sum(job => job.rescalesOfTheDay)],
    ['Failing', jobs.filter(job => job.outcome === 'failed').length]];
}

function makeList() {
  const filter = html('input', { type: 'search', placeholder: 'Filter by name, decision or reason', 'aria-label': 'Filter jobs' });
  filter.addEventListener('input', showList);
  const heads = COLUMNS.map((column, i) => {
    const button = html('button', { type: 'button' }, column.title);
    button.addEventListener('click', () => {
      list.down = list.sort === i ? !list.down : !!column.number; // large numbers are looked for first
      list.sort = i;
      showList();
    });
    return html('th', column.number ? { class: 'number', scope: 'col' } : { scope: 'col' }, button);
  });
  list.filter = filter;
  list.heads = heads;
  list.tiles = html('ul', { class: 'tiles' });
  list.body = html('tbody', {});
  list.none = html('p', {}, 'No job asks for autoscaling.');
  list.table = html('table', { class: 'jobs' }, html('thead', {}, html('tr', {}, ...heads)), list.body);
  list.element = html('div', {}, list.tiles, filter, list.table, list.none);
}

function showList() {
  const wanted = list.filter.value.toLowerCase();
  const { by } = COLUMNS[list.sort];
  const shown = list.jobs.filter(job => (job.namespace + '/' + job.name + ' ' + job.outcome + ' ' + job.why).toLowerCase().includes(wanted));
  shown.sort((one, other) => {
    const a = by(one), b = by(other);
    if (a === b) return 0;
    if (a === undefined || a === null) return 1; // unknown ones last, in either direction
    if (b === undefined || b === null) return -1;
    return (a < b ? -1 : 1) * (list.down ? -1 : 1);
  });
  list.heads.forEach((head, i) => head.setAttribute('aria-sort', i === list.sort ? (list.down ? 'descending' : 'ascending') : 'none'));
  arrange(list.body, shown.map(row));
  const there = new Set(list.jobs.map(job => job.kind + '/' + job.namespace + '/' + job.name));
  for (const id of list.rows.keys()) if (!there.has(id)) list.rows.delete(id);
  arrange(list.tiles, tiles(shown).map(([what, value]) => keep('tile ' + what, value, () => html('li', {}, html('b', {}, String(value)), what))));
  list.table.classList.toggle('priced', list.jobs.some(job => job.costPerHour));
  list.table.hidden = shown.length === 0;
  list.none.hidden = shown.length > 0;
  write(list.none, list.jobs.length ? 'No job matches.' : 'No job asks for autoscaling.');
}

function jobs(all) {
  if (!list.element) makeList();
  list.jobs = all.map(job => ({ rates: [], ...job })); // an older replica tells less
  showList();
  arrange(main, [list.element]);
}

function decision(job) {
  const card = html('section', { class: 'card decision ' + job.decision.outcome },
    html('strong', {}, job.decision.outcome), ': ' + job.decision.why + '.',
    html('div', {}, job.decision.until ? 'Decided anew with each look. This reason ends ' + when(job.decision.until) + '.' : 'Next: ' + job.decision.next + '.'));
  const wished = job.decision.proposed || job.decision.published;
  if (wished) {
    const changes = job.vertices.filter(v => wished[v.id] !== undefined && wished[v.id] !== v.parallelism)
      .map(v => v.name + ' ' + v.parallelism + ' → ' + wished[v.id]);
    if (changes.length) card.append(html('div', {}, changes.join(', ')));
  }
  const facts = [['Rescales today', job.counts.rescalesOfTheDay + ' of ' + job.counts.rescalesPerDay],
    ['A rescale stops the job', job.restartSeconds === undefined ? '–' : number(job.restartSeconds) + ' s'],
    ['Slots', job.slots ? number(job.slots.used) + ', needed ' + number(job.slots.needed) : '–'],
    ...(job.costPerHour ? [['Cost an hour', job.costPerHour.used.toFixed(2)]] : []),
    ['Last look', when(job.at)]];
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
  const moment = to - from > 86400 ? day : clock;
  const y = v => height - 16 - v / top * (height - 26);
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    svg('line', { class: 'grid', x1: edge, x2: width, y1: y(0), y2: y(0) }), svg('line', { class: 'grid', x1: edge, x2: width, y1: y(top / 1.08), y2: y(top / 1.08) }),
    svg('text', { x: 0, y: y(top / 1.08) + 4 }, options.unit(top / 1.08)), svg('text', { x: 0, y: y(0) + 4 }, options.unit(0)),
    svg('text', { x: edge, y: height - 3 }, moment(from)), svg('text', { x: width - 4, y: height - 3, 'text-anchor': 'end' }, moment(to)),
    svg('text', { x: width - 4, y: 9, 'text-anchor': 'end' }, label));
  for (const mark of marks) {
    if (mark.at < from || mark.at > to) continue;
    drawing.append(svg('line', { class: 'mark ' + mark.outcome, x1: x(mark.at), x2: x(mark.at), y1: 12, y2: height - 16 }, svg('title', {}, clock(mark.at) + ' ' + mark.outcome + ': ' + mark.why)));
  }
  for (const { low, high } of options.bands || []) {
    const inside = times.map((_, i) => i).filter(i => low[i] !== null && high[i] !== null);
    const corners = [...inside.map(i => [i, high]), ...inside.reverse().map(i => [i, low])];
    drawing.append(svg('polygon', { class: 'band', points: corners.map(([i, of]) => x(times[i]).toFixed(1) + ',' + Math.max(10, y(of[i])).toFixed(1)).join(' ') }));
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
  hover(drawing, times, x, index => moment(times[index]) + ' ' + lines.map(line => (line.name ? line.name + ' ' : '') + options.unit(line.values[index])).join(', '), height, width, edge);
  return drawing;
}

// Shows the values of the moment under the pointer in place of the chart's label.
function hover(drawing, times, x, text, height, width, edge) {
  const guide = svg('line', { class: 'guide', y1: 12, y2: height - 16 }), label = svg('text', { class: 'values', x: edge, y: 9 });
  const shown = svg('g', { visibility: 'hidden' }, guide, label);
  drawing.append(shown);
  drawing.addEventListener('pointermove', event => {
    const box = drawing.getBoundingClientRect();
    const wanted = (event.clientX - box.left) / box.width * width;
    const index = times.reduce((best, at, i) => Math.abs(x(at) - wanted) < Math.abs(x(times[best]) - wanted) ? i : best, 0);
    guide.setAttribute('x1', x(times[index]));
    guide.setAttribute('x2', x(times[index]));
    write(label, text(index));
    shown.setAttribute('visibility', 'visible');
  });
  drawing.addEventListener('pointerleave', () => shown.setAttribute('visibility', 'hidden'));
}

function vertex(job, v) {
  const { times, vertices, marks } = job.timeline;
  const series = vertices[v.id];
  const card = html('section', { class: 'card' }, html('h3', {}, v.name), html('ul', { class: 'facts' },
    ...[['parallelism', v.parallelism + (v.published !== undefined && v.published !== v.parallelism ? ' → ' + v.published : '')],
      ['load', number(v.metrics.load)], ['true rate', number(v.metrics.true_processing_rate) + '/s'],
      ['target', number(v.metrics.target_data_rate) + '/s'], ['lag', number(v.metrics.lag)]].map(([what, value]) => html('li', {}, what + ' ', html('b', {}, value)))));
  if (times.length < 2 || !series || !series.wanted) return card; // or an older replica tells less
  card.append(
    chart('records a second', times, [{ kind: 'rate', name: 'true', values: series.true_processing_rate }, { kind: 'target', name: 'target', values: series.target_data_rate }], marks,
      { height: 120, least: 1, unit: number, bands: [{ low: series.scale_up_rate_threshold, high: series.scale_down_rate_threshold }] }),
    chart('load', times, [{ kind: 'load', values: series.load }], marks, { height: 80, least: 1, unit: number }),
    chart('parallelism', times, [{ kind: 'size', values: series.parallelism, steps: true }, { kind: 'wanted', name: 'wanted', values: series.wanted, steps: true }], marks, { height: 80, least: 2, unit: number }));
  if (series.lag.some(value => value)) card.append(chart('lag, records', times, [{ kind: 'lag', values: series.lag }], marks, { height: 80, least: 1, unit: number }));
  return card;
}

function job(it) {
  document.title = it.namespace + '/' + it.name + ' – Sluice autoscaler';
  document.getElementById('where').textContent = it.kind + ' ' + it.namespace + '/' + it.name;
  const { times, marks, vertices } = it.timeline;
  const cards = keep('cards', it.vertices.map(v => v.id), () => html('div', { class: 'vertices' }));
  arrange(cards, it.vertices.map(v => keep('vertex ' + v.id, [v, times, marks, vertices[v.id]], () => vertex(it, v))));
  const seen = it.vertices.length
    ? [keep('graph', it.vertices, () => graph(it)), keep('vertices', 0, () => html('h2', {}, 'Vertices')), keep('legend', 0, legend), cards]
    : [keep('nothing', 0, () => html('p', {}, 'Nothing is seen of its vertices at present.'))];
  arrange(main, [decision(it), keep('job', 0, () => html('h2', {}, 'Job')), ...seen, ...weeks(it.hours), keep('decisions', 0, () => html('h2', {}, 'Decisions')), keep('marks', marks, () => markList(marks))]);
}

function weeks(hours) {
  if (!hours || hours.times.length < 3) return [];
  const line = (label, kind, values, unit) => chart(label, hours.times, [{ kind, values }], [], { height: 90, least: 1, unit });
  return [keep('hours', 0, () => html('h2', {}, 'By the hour, up to four weeks')), keep('weeks', hours, () => html('section', { class: 'vertices' },
    html('div', { class: 'card' }, line('records a second, mean', 'rate', hours.rate, number)), html('div', { class: 'card' }, line('slots, mean', 'size', hours.slots, number)),
    html('div', { class: 'card' }, line('lag, most', 'lag', hours.lagSeconds, time))))];
}

function legend() {
  const shown = html('p', { class: 'legend' });
  for (const [kind, text] of [['rate', 'true rate'], ['target', 'target rate'], ['load', 'load'], ['size', 'parallelism'], ['wanted', 'wanted'], ['lag', 'lag']]) shown.append(html('i', { class: 'k-' + kind }), text);
  shown.append(html('i', { class: 'k-band' }), 'a true rate within it changes nothing. Upright lines are decisions.');
  return shown;
}

function markList(marks) {
  if (!marks.length) return html('p', {}, 'None yet but to leave things as they are.');
  return html('ol', { class: 'marks' }, ...[...marks].reverse().map(mark => html('li', {}, html('time', {}, clock(mark.at)), html('span', {}, mark.outcome), html('span', {}, mark.why))));
}

async function follow() {
  try {
    if (path[0] === 'jobs' && path.length === 3) job(await ask('/explain/' + path[1] + '/' + path[2]));
    else jobs(await ask('/explain'));
  } catch (failed) {
    if (failed instanceof NoToken) { tokenForm(failed.message); return; }
    arrange(main, [keep('failed', failed.message, () => html('p', { class: 'card decision failed' }, failed.message))]);
  }
}
follow();
setInterval(follow, 15000);
