// What several screens are made of.
import {html, nothing} from './lit-html.js';
import {retry} from './api.js';
import {full, moment, relative} from './format.js';
import {count, has, t} from './texts.js';

// Drawn, because not every font has such a sign.
export const BARS = html`<i class="bars"></i>`;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

// Each state has a colour, a glyph and a word, so that none has to be recognised by its colour.
const STATES = {
  READY: ['good', '●'], HEALTHY: ['good', '✓'], RUNNING: ['busy', '▶'], COMPLETED: ['good', '✓'], FAILED: ['bad', '✕'], REFUSED: ['bad', '✕'], INTERRUPTED: ['bad', '⚡'],
  REGISTRY_DATA_LOST: ['bad', '!'], GROUP_UNREADABLE: ['bad', '!'], GROUP_WITHOUT_INSTANCE: ['bad', '○'], GROUP_WITHOUT_LEADER: ['warn', '…'], GROUP_NOT_STOPPED: ['bad', '▶'], INDEX_NOT_HELD: ['bad', '○'], INSTANCE_LEFT_OUT: ['warn', '○'], APP_WITHOUT_CONTROLLER: ['bad', '○'], APP_NOT_READY: ['bad', '!'], WORKERS_BLOCKED: ['bad', '✕'], NO_INSTANCE: ['bad', '○'], UNREADABLE: ['bad', '!'], FOREIGN_INSTANCES: ['bad', '!'],
  DISABLED: ['idle', BARS], PAUSED: ['warn', BARS], NO_LEADER: ['warn', '…'], UNPLANNED: ['warn', '…'], DRAINED: ['warn', BARS], UNMATCHED: ['bad', BARS], REMOVED: ['idle', '–'], NEW: ['idle', '·'],
  ITEM_TOO_HEAVY: ['bad', '✕'], OWNER_GONE: ['bad', '○'], RECORD_UNREADABLE: ['bad', '!'], ALL_SERVERS_DISABLED: ['bad', BARS], ALL_INSTANCES_DRAINED: ['bad', BARS], NO_INSTANCE_MATCHES: ['bad', BARS], ALL_CLOCKS_DIFFER: ['bad', '◷'], CLOCK_DIFFERS: ['warn', '◷'], PAUSED_AFTER_FAILURES: ['bad', BARS], PARENT_FAILED: ['warn', '…'], WAITS_FOR_FAILOVER: ['warn', '⚡'], LATE: ['warn', '◷'], PROBLEM: ['warn', '!'], CALENDAR_ENDS: ['warn', '◷'],
  PARENT_NOT_FOLLOWED: ['bad', '○'], NOT_BEGUN: ['bad', '◷'], STUCK: ['bad', '▶'], WAITS_FOR_THREAD: ['warn', '◷'], LISTENERS_SLOW: ['warn', '◷'], BACKFILL_STANDS_STILL: ['warn', '…'], BACKFILL_FAILED: ['bad', '✕'],
  TIMEOUT: ['bad', '◷'], CANCELLED: ['idle', '✕'], LOST: ['bad', '–'], FOLDED: ['warn', '–'], SKIPPED: ['idle', '–'], DROPPED: ['idle', '–'], OVERDUE: ['bad', '–'],
  WAITING: ['idle', '◷'], GONE: ['idle', '–'], DUE_NOW: ['warn', '…'], WAITS: ['idle', '◷'], BLOCKED: ['bad', '✕'], UNKNOWN: ['unknown', '?'],
};

export function look(state) {
  return STATES[state] ?? STATES.UNKNOWN;
}

export function chip(kind, state) {
  const key = `${kind}.${state}`;
  return sign(state, has(key) ? t(key) : state);
}

// The look of a state, with other words.
export function sign(state, words) {
  const [tone, glyph] = look(state);
  return html`<span class="chip ${tone}"><span class="glyph" aria-hidden="true">${glyph}</span>${words}</span>`;
}

// Where a long name may be broken: after what separates its words, never inside of one.
export function breakable(name) {
  return name.split(/(?<=[-._/:,])|(?<=[a-z])(?=[A-Z])/).map((part) => html`${part}<wbr>`);
}

// A moment, with the distance to now; what isn't there is said, never guessed.
export function when(iso, absent) {
  if (!iso) return html`<span class="quiet">${absent}</span>`;
  return html`<time datetime=${iso} title=${full(iso)}>${moment(iso)}</time> <span class="quiet distance">${relative(iso)}</span>`;
}

// A sentence that the API gives as a code with values: in the reader's language, with times by the reader's clock.
export function sentence(kind, {code, values, text}) {
  const key = `${kind}.${code}`;
  if (!has(key)) return html`<span lang="en">${text}</span>`;
  const shown = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, INSTANT.test(value) ? moment(value) : value]));
  return t(key, shown);
}

// Who has paused a job or the namespace, since when, and why.
export function pausedBy({scope, since, actor, reason}) {
  const words = t('paused.' + scope, {actor: actor || t('unknown')});
  return html`${words} <span class="quiet" title=${full(since)}>${relative(since)}</span>${reason ? html` – ${reason}` : nothing}`;
}

// How much of all jobs has been read, and how old it is.
export function swept({jobs, of, complete, oldest}) {
  const old = oldest ? html` <span title=${full(oldest)}>${t('swept.oldest', {when: relative(oldest)})}</span>` : nothing;
  return html`<p class="quiet small ${complete ? '' : 'stale'}">${t(complete ? 'swept.all' : 'swept.some', {n: jobs, of})}${old}</p>`;
}

export function fact(name, value) {
  return value === nothing || value === null || value === undefined
    ? nothing
    : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

export function problemText(problem) {
  const key = 'problem.' + problem.code;
  return has(key) ? t(key) : problem.message || t('problem.FAILED');
}

// When something that has failed is asked for again, and a button that does so now. Others than the application can't mend it.
export function again({status, again}) {
  if (again === undefined || (status && status < 500)) return nothing;
  const seconds = Math.ceil((again - performance.now()) / 1000);
  return html`<span class="again"><span class="quiet">${seconds > 0 ? count('again.in', seconds) : t('again.now')}</span>
    <button type="button" class="button" data-key="again" @click=${retry}>${t('again')}</button></span>`;
}

export function failed(problem) {
  const unknown = problem.status === 404;
  return html`<section class="empty">
    <div role=${unknown ? nothing : 'alert'}><h2>${problemText(problem)}</h2>
    ${problem.message ? html`<p class="quiet" lang="en">${problem.message}</p>` : nothing}</div>
    ${again(problem)}
    ${problem.code === 'NOT_AUTHENTICATED' ? html`<p><a class="button" href=${location.href}>${t('signIn')}</a></p>` : nothing}
  </section>`;
}

export function loading() {
  return html`<p class="loading" role="status">${t('loading')}</p>`;
}
