// The firings of a job that the trace has recorded: items as rows, firings as columns, troubled items first.
import {html, nothing} from './lit-html.js';
import {get} from './api.js';
import {dayAndTime, full, lasted} from './format.js';
import {logLink} from './logs.js';
import {chip, fact, failed, loading, look, when} from './parts.js';
import {href, segment} from './route.js';
import {has, t} from './texts.js';
import {chart, firing} from './timeline.js';

const ROWS = 50;
const TROUBLES = ['FAILED', 'TIMEOUT', 'INTERRUPTED', 'LOST'];

let from = 0; // the first row that is shown, of which job
let of = '';
let sorted = {data: null, items: []}; // the items of an answer: sorted once, not at each drawing
let opened = null; // the execution beside the grid

// What became of an item in a firing; nothing if the trace has no entry.
export function outcomeOf(letters, firing, item) {
  const letter = firing.outcomes[item - firing.first] ?? '-';
  return letter === '-' ? '' : letters[letter] ?? 'UNKNOWN';
}

// Items with trouble in a later firing come first, then by number.
export function ordered({letters, firings}) {
  const places = new Map();
  firings.forEach((one, place) => {
    for (let item = one.first; item < one.first + one.outcomes.length; item++) {
      const outcome = outcomeOf(letters, one, item);
      if (outcome && !(places.get(item) < firings.length)) places.set(item, TROUBLES.includes(outcome) ? place : firings.length);
    }
  });
  return [...places].sort((one, other) => one[1] - other[1] || one[0] - other[0]).map(([item]) => item);
}

// The grid has outcomes only: the latest execution of the item in the run is asked for.
async function open(route, run, item, draw) {
  const now = {run, item, entry: null, steps: null, problem: null};
  opened = now;
  draw();
  const executions = `registries/${segment(route.registry)}/executions`;
  try {
    const found = (await get(`${executions}?${new URLSearchParams({job: route.job, run, item})}`)).executions;
    const last = found.reduce((one, other) => (other.attempt > one.attempt ? other : one));
    const path = `${executions}/${segment(last.id)}`;
    [now.entry, now.steps] = await Promise.all([get(path), get(path + '/steps').catch(() => null)]);
  } catch (problem) {
    now.problem = problem;
  }
  draw();
}

export function grid(route, {data, problem}, {ends, one}, draw) {
  if (!data) return problem ? away(problem) : loading();
  const job = `${segment(route.registry)}/${segment(route.job)}`;
  if (of !== job) [of, from, opened] = [job, 0, null];
  if (data.firings.length === 0) return html`<section class="empty"><h2>${t('firings.none')}</h2></section>`;
  if (sorted.data !== data) sorted = {data, items: ordered(data)};
  const {items} = sorted;
  // As time goes: the latest firing is at the right.
  const columns = [...data.firings].reverse();
  const heads = headsOf(columns);
  if (from >= items.length) from = 0;
  const rest = items.length - from - ROWS;
  // Only these rows are in the page: 1,000 items of 50 firings would be too many for it.
  const show = (first) => () => {
    from = first;
    draw();
  };
  return html`${route.before ? nothing : chart(route, ends)}<div class="split ${opened ? 'open' : ''}"><section aria-label=${t('tab.firings')}>
    ${route.firing ? firing(route, one, (run, item) => open(route, run, item, draw), draw) : nothing}
    <div class="card latest"><table class="grid"><thead><tr><th scope="col">${t('items')}</th>
      ${columns.map((one, place) => html`<th scope="col" class=${heads[place].day ? 'day' : ''} title=${full(one.scheduledAt)}><span><a href=${href({...route, firing: one.runId})} aria-current=${route.firing === one.runId ? 'true' : nothing}>${
    heads[place].day ? html`<b>${heads[place].day}</b> ` : nothing}${heads[place].time}</a></span></th>`)}</tr></thead>
      <tbody>${items.slice(from, from + ROWS).map((item) => html`<tr><th scope="row"><a href=${href({...route, tab: '', item: String(item)})}>${item}</a></th>
        ${columns.map((one, place) => cell(route, data.letters, item, one, heads[place], draw))}</tr>`)}</tbody></table></div>
    <p class="pages">${from ? html`<button type="button" class="button" @click=${show(0)}>${t('firings.firstItems')}</button>` : nothing}
      ${rest > 0 ? html`<button type="button" class="button" @click=${show(from + ROWS)}>${t('firings.more', {n: rest})}</button>` : nothing}
      ${route.before ? html`<a class="button" href=${href({...route, before: ''})}>${t('firings.latest')}</a>` : nothing}
      ${data.next ? html`<a class="button" href=${href({...route, before: data.next})}>${t('firings.earlier')}</a>` : nothing}</p></section>
    ${opened ? panel(route, draw) : nothing}</div>`;
}

// The time of each firing, and its day where it is another one than that of the firing before it.
export function headsOf(columns) {
  let before = '';
  return columns.map(({scheduledAt}) => {
    const [date, time] = dayAndTime(scheduledAt);
    const day = date === before ? '' : date;
    before = date;
    return {day, time, whole: `${date} ${time}`};
  });
}

// Without a trace, the answer says how to have one.
export function away(problem) {
  return problem.status === 404
    ? html`<section class="empty"><h2>${t('firings.noTrace')}</h2><p class="quiet" lang="en">${problem.message}</p></section>`
    : failed(problem);
}

function cell(route, letters, item, firing, {day, whole}, draw) {
  const outcome = outcomeOf(letters, firing, item);
  if (!outcome) return html`<td class=${day ? 'day' : ''}></td>`;
  const [tone, glyph] = look(outcome);
  const words = `${t('item', {n: item})}, ${whole}, ${has('outcome.' + outcome) ? t('outcome.' + outcome) : t('unknown')}`;
  const chosen = opened?.run === firing.runId && opened.item === item;
  return html`<td class=${day ? 'day' : ''}><button type="button" class="square ${tone}" aria-label=${words} title=${words} aria-pressed=${chosen}
    @click=${() => open(route, firing.runId, item, draw)}>${glyph}${firing.again[item] ?? ''}</button></td>`;
}

function panel(route, draw) {
  const {entry, steps, problem} = opened;
  const close = () => {
    opened = null;
    draw();
  };
  return html`<section class="panel card" aria-label=${t('last')}><header><h2>${entry ? t('item', {n: entry.item}) : t('last')}</h2>
      ${entry ? chip('outcome', entry.outcome) : nothing}<button type="button" class="close" aria-label=${t('close')} @click=${close}>✕</button></header>
    ${entry ? html`${details(route, entry)}${happened(steps)}` : problem ? failed(problem) : loading()}</section>`;
}

// What happened to an execution, in order.
export function happened(data) {
  return data?.steps.length ? html`<h3 class="section">${t('history.steps')}</h3><ol class="steps">${data.steps.map((one) => html`<li>
    ${when(one.at)} <code>${one.state}</code>${one.message ? html`<p class="small" lang="en">${one.message}</p>` : nothing}</li>`)}</ol>` : nothing;
}

export function details(route, entry) {
  return html`<dl class="facts small">
      ${fact(t('last.scheduledAt'), when(entry.scheduledAt))}
      ${entry.startedAt ? fact(t('last.startedAt'), when(entry.startedAt)) : nothing}
      ${entry.endedAt ? fact(t('last.finishedAt'), when(entry.endedAt)) : nothing}
      ${entry.startedAt && entry.endedAt ? fact(t('last.lasted'), lasted(entry.startedAt, entry.endedAt)) : nothing}
      ${entry.instance ? fact(t('last.instance'), entry.instance) : nothing}
      ${entry.attempt > 1 ? fact(t('last.attempt'), entry.attempt) : nothing}
      ${entry.missedFirings ? fact(t('firings.missed'), entry.missedFirings) : nothing}
      ${entry.actor ? fact(t('firings.actor'), entry.actor) : nothing}
      ${fact(t('last.runId'), html`<a href=${href({registry: route.registry, job: entry.job, tab: 'firings', firing: entry.runId})}><code>${entry.runId}</code></a>`)}</dl>
    ${logLink(route.registry, entry)}
    ${entry.failure ? html`<h3 class="section">${t('last.failure')}</h3>${trace(entry.failure)}` : nothing}`;
}

// A stack trace stands folded behind its first line, which says what has failed.
function trace(text) {
  const whole = text.trim();
  const end = whole.indexOf('\n');
  const shown = html`<pre class="failure" tabindex="0" lang="en">${whole}</pre>`;
  if (end < 0) return shown;
  return html`<details class="trace"><summary lang="en">${whole.slice(0, end)}</summary>
    <p><button type="button" class="button" @click=${(event) => copy(event.currentTarget, whole)}>${t('copy')}</button> <span role="status"></span></p>${shown}</details>`;
}

// Without HTTPS, browsers let a page copy only what is selected.
async function copy(button, text) {
  document.getSelection().selectAllChildren(button.closest('details').querySelector('pre'));
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = document.execCommand('copy');
  }
  button.nextElementSibling.textContent = t(copied ? 'copy.done' : 'copy.selected');
}
