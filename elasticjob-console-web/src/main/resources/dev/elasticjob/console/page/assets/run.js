// One manual run, from its request to its outcome on all items.
import {html, nothing} from './lit-html.js';
import {chip} from './parts.js';
import {href} from './route.js';
import {count, t} from './texts.js';

// What the items showed of the run while the page was open: a later execution replaces it in the registry.
const seen = new Map();
const MOST_ITEMS = 40;

const isOf = (run, ids) => Boolean(ids) && ids.split(',').includes(run);

// By item: WAITING, or the state of its execution.
function states(run, {items, waiting}) {
  const known = seen.get(run) ?? new Map();
  seen.set(run, known);
  for (const item of items) {
    if (isOf(run, item.runId)) known.set(item.item, item.running ? 'RUNNING' : item.state);
    else if (waiting[item.item]?.includes(run)) known.set(item.item, 'WAITING');
    else if (['WAITING', 'RUNNING'].includes(known.get(item.item))) known.set(item.item, 'GONE');
  }
  return known;
}

function outcome(all) {
  const has = (state) => all.includes(state);
  if (all.length === 0 || has('WAITING') || has('RUNNING')) return has('RUNNING') ? 'RUNNING' : 'WAITING';
  return ['FAILED', 'INTERRUPTED', 'GONE'].find(has) ?? 'COMPLETED';
}

export function run(route, data) {
  const known = states(route.run, data);
  const all = [...known.values()];
  const ended = all.filter((state) => state !== 'WAITING' && state !== 'RUNNING').length;
  return html`<section class="card panel run" aria-label=${t('run.heading')}>
    <header><h2>${t('run.heading')}</h2>${chip('run', outcome(all))}
      <a class="close" href=${href({...route, run: ''})} aria-label=${t('close')}>✕</a></header>
    <p><code>${route.run}</code></p>
    <p role="status">${all.length ? count('run.ended', ended) + ' ' + t('run.of', {n: all.length}) : t('run.none')}</p>
    <ul class="legend">${[...known].slice(0, MOST_ITEMS).map(([item, state]) => html`<li>
      <a href=${href({...route, item: String(item)})}>${t('item', {n: item})}</a> ${chip('run', state)}</li>`)}
      ${all.length > MOST_ITEMS ? html`<li>…</li>` : nothing}</ul>
  </section>`;
}
