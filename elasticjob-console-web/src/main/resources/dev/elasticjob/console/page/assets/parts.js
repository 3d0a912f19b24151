// What several screens are made of.
import {html, nothing} from './lit-html.js';
import {full, moment, relative} from './format.js';
import {has, t} from './texts.js';

// Each state has a colour, a glyph and a word, so that none has to be recognised by its colour.
const STATES = {
  READY: ['good', '●'], RUNNING: ['busy', '▶'], COMPLETED: ['good', '✓'], FAILED: ['bad', '✕'], INTERRUPTED: ['bad', '⚡'],
  NO_INSTANCE: ['bad', '○'], UNREADABLE: ['bad', '!'], FOREIGN_INSTANCES: ['bad', '!'],
  DISABLED: ['idle', '‖'], PAUSED: ['idle', '‖'], NO_LEADER: ['warn', '…'], UNPLANNED: ['warn', '…'], REMOVED: ['idle', '–'], NEW: ['idle', '·'],
  DUE_NOW: ['warn', '…'], WAITS: ['idle', '◷'], BLOCKED: ['bad', '✕'], UNKNOWN: ['unknown', '?'],
};

export function look(state) {
  return STATES[state] ?? STATES.UNKNOWN;
}

export function chip(kind, state) {
  const [tone, glyph] = look(state);
  const key = `${kind}.${state}`;
  return html`<span class="chip ${tone}"><span class="glyph" aria-hidden="true">${glyph}</span>${has(key) ? t(key) : state}</span>`;
}

// A moment, with the distance to now; what isn't there is said, never guessed.
export function when(iso, absent) {
  if (!iso) return html`<span class="quiet">${absent}</span>`;
  return html`<time datetime=${iso} title=${full(iso)}>${moment(iso)}</time> <span class="quiet distance">${relative(iso)}</span>`;
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

export function failed(problem) {
  const unknown = problem.status === 404;
  return html`<section class="empty" role=${unknown ? nothing : 'alert'}>
    <h2>${problemText(problem)}</h2>
    ${problem.message ? html`<p class="quiet" lang="en">${problem.message}</p>` : nothing}
    ${problem.code === 'NOT_AUTHENTICATED' ? html`<p><a class="button" href=${location.href}>${t('signIn')}</a></p>` : nothing}
  </section>`;
}

export function loading() {
  return html`<p class="loading" role="status">${t('loading')}</p>`;
}
