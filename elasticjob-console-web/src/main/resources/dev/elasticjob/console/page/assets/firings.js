// The firings of a job that the trace has recorded: items as rows, firings as columns, troubled items first.
import {html, nothing} from './lit-html.js';
import {get} from './api.js';
import {full, lasted, moment} from './format.js';
import {chip, fact, failed, loading, look, when} from './parts.js';
import {href, segment} from './route.js';
import {t} from './texts.js';

const ROWS = 50;
const TROUBLES = ['FAILED', 'TIMEOUT', 'INTERRUPTED', 'LOST'];

let from = 0; // the first row that is shown, of which job
let of = '';
let sorted = {data: null, items: []}; // the items of an answer: sorted once, not at each drawing
let opened = null; // the execution beside the grid

// Items with trouble in a later firing come first, then by number.
export function ordered(firings) {
  const numbers = new Set(firings.flatMap((one) => Object.keys(one.items).map(Number)));
  const trouble = (item) => {
    const place = firings.findIndex((one) => TROUBLES.includes(one.items[item]?.outcome));
    return place < 0 ? firings.length : place;
  };
  return [...numbers].map((item) => [trouble(item), item]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((pair) => pair[1]);
}

async function open(route, id, draw) {
  const now = {id, entry: null, steps: null, problem: null};
  opened = now;
  draw();
  const path = `registries/${segment(route.registry)}/executions/${segment(id)}`;
  try {
    [now.entry, now.steps] = await Promise.all([get(path), get(path + '/steps').catch(() => null)]);
  } catch (problem) {
    now.problem = problem;
  }
  draw();
}

export function grid(route, {data, problem}, draw) {
  if (!data) return problem ? away(problem) : loading();
  const job = `${segment(route.registry)}/${segment(route.job)}`;
  if (of !== job) [of, from, opened] = [job, 0, null];
  if (data.firings.length === 0) return html`<section class="empty"><h2>${t('firings.none')}</h2></section>`;
  if (sorted.data !== data) sorted = {data, items: ordered(data.firings)};
  const {items} = sorted;
  const times = data.firings.map((one) => moment(one.scheduledAt));
  if (from >= items.length) from = 0;
  const rest = items.length - from - ROWS;
  // Only these rows are in the page: 1,000 items of 50 firings would be too many for it.
  const show = (first) => () => {
    from = first;
    draw();
  };
  return html`<div class="split ${opened ? 'open' : ''}"><section aria-label=${t('tab.firings')}>
    <div class="card"><table class="grid"><thead><tr><th scope="col">${t('items')}</th>
      ${data.firings.map((one, place) => html`<th scope="col" title=${full(one.scheduledAt)}><span>${times[place]}</span></th>`)}</tr></thead>
      <tbody>${items.slice(from, from + ROWS).map((item) => html`<tr><th scope="row"><a href=${href({...route, tab: '', item: String(item)})}>${item}</a></th>
        ${data.firings.map((one, place) => cell(route, item, one, times[place], draw))}</tr>`)}</tbody></table></div>
    <p class="pages">${from ? html`<button type="button" class="button" @click=${show(0)}>${t('firings.firstItems')}</button>` : nothing}
      ${rest > 0 ? html`<button type="button" class="button" @click=${show(from + ROWS)}>${t('firings.more', {n: rest})}</button>` : nothing}
      ${route.before ? html`<a class="button" href=${href({...route, before: ''})}>${t('firings.latest')}</a>` : nothing}
      ${data.next ? html`<a class="button" href=${href({...route, before: data.next})}>${t('firings.earlier')}</a>` : nothing}</p></section>
    ${opened ? panel(route, draw) : nothing}</div>`;
}

// Without a trace, the answer says how to have one.
export function away(problem) {
  return problem.status === 404
    ? html`<section class="empty"><h2>${t('firings.noTrace')}</h2><p class="quiet" lang="en">${problem.message}</p></section>`
    : failed(problem);
}

function cell(route, item, firing, time, draw) {
  const one = firing.items[item];
  if (!one) return html`<td></td>`;
  const [tone, glyph] = look(one.outcome);
  const words = `${t('item', {n: item})}, ${time}, ${t('outcome.' + one.outcome)}`;
  return html`<td><button type="button" class="square ${tone}" aria-label=${words} title=${words} aria-pressed=${opened?.id === one.id}
    @click=${() => open(route, one.id, draw)}>${glyph}${one.executions > 1 ? one.executions : ''}</button></td>`;
}

function panel(route, draw) {
  const {entry, steps, problem} = opened;
  const close = () => {
    opened = null;
    draw();
  };
  return html`<section class="panel card" aria-label=${t('last')}><header><h2>${entry ? t('item', {n: entry.item}) : t('last')}</h2>
      ${entry ? chip('outcome', entry.outcome) : nothing}<button type="button" class="close" aria-label=${t('close')} @click=${close}>✕</button></header>
    ${entry ? html`${details(entry)}${happened(steps)}` : problem ? failed(problem) : loading()}</section>`;
}

// What happened to an execution, in order.
export function happened(data) {
  return data?.steps.length ? html`<h3 class="section">${t('history.steps')}</h3><ol class="steps">${data.steps.map((one) => html`<li>
    ${when(one.at)} <code>${one.state}</code>${one.message ? html`<p class="small" lang="en">${one.message}</p>` : nothing}</li>`)}</ol>` : nothing;
}

export function details(entry) {
  return html`<dl class="facts small">
      ${fact(t('last.scheduledAt'), when(entry.scheduledAt))}
      ${entry.startedAt ? fact(t('last.startedAt'), when(entry.startedAt)) : nothing}
      ${entry.endedAt ? fact(t('last.finishedAt'), when(entry.endedAt)) : nothing}
      ${entry.startedAt && entry.endedAt ? fact(t('last.lasted'), lasted(entry.startedAt, entry.endedAt)) : nothing}
      ${entry.instance ? fact(t('last.instance'), entry.instance) : nothing}
      ${entry.attempt > 1 ? fact(t('last.attempt'), entry.attempt) : nothing}
      ${entry.missedFirings ? fact(t('firings.missed'), entry.missedFirings) : nothing}
      ${entry.actor ? fact(t('firings.actor'), entry.actor) : nothing}
      ${fact(t('last.runId'), html`<code>${entry.runId}</code>`)}</dl>
    ${entry.failure ? html`<h3 class="section">${t('last.failure')}</h3><pre class="failure" tabindex="0">${entry.failure}</pre>` : nothing}`;
}
