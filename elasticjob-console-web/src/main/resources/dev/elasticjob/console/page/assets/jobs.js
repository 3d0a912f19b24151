// All jobs of a registry, 50 at a time.
import {html, nothing} from './lit-html.js';
import * as bulk from './bulk.js';
import {button} from './commands.js';
import {distance, full, period, relative} from './format.js';
import {asOf, lateClass, lateOnly} from './freshness.js';
import {breakable, chip, failed, loading, look, pausedBy, swept} from './parts.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

// What a job is to a person, and its status.
const CONDITIONS = ['TROUBLED', 'STOPPED', 'RUNNING', 'NEW', 'HEALTHY'];
export const STATES = ['READY', 'NO_INSTANCE', 'PAUSED', 'DISABLED', 'DRAINED', 'UNMATCHED', 'UNREADABLE', 'FOREIGN_INSTANCES', 'NO_LEADER', 'UNPLANNED', 'REMOVED'];
// The first order of a column is the one that people look for.
const FIRST = {name: 'name', condition: 'condition', ended: '-ended', next_firing: 'next_firing', items: '-items', instances: 'instances'};
const PAUSE = 3_000;

// How they are and how they ended is asked for those on the page, as many as an address has room for.
const LAST = {pause: 10_000, late: 25_000};
const LATEST = {pause: 4_500, late: 9_000};
const MOST_OF_ADDRESS = 3_000;
const STRIP = 20;
// How a plan writes a fixed rate; nothing of it depends on a zone.
const OF_LENGTH = {EVERY: 'schedule.every', FIXED_DELAY: 'schedule.delay'};

export function sources(route, answers = {}) {
  const query = new URLSearchParams();
  for (const name of ['search', 'state', 'sort', 'after']) if (route[name]) query.set(name, route[name]);
  const registry = `registries/${segment(route.registry)}`;
  const all = [{key: 'jobs', path: `${registry}/jobs?${query}`, pause: PAUSE}];
  let names = '';
  for (const {name} of answers.jobs?.data?.jobs ?? []) {
    if (names.length + segment(name).length < MOST_OF_ADDRESS) names += (names && ',') + segment(name);
  }
  if (names) {
    all.push({key: 'last', path: `${registry}/last?jobs=${names}`, ...LAST});
    all.push({key: 'latest', path: `${registry}/latest?jobs=${names}&firings=${STRIP}`, ...LATEST});
  }
  return all;
}

export function title() {
  return t('jobs');
}

export function view(route, answers, go, act, administer) {
  const {data, problem} = answers.jobs ?? {};
  const paused = data?.jobs.map((job) => job.paused).find((pause) => pause?.scope === 'NAMESPACE');
  return html`
    <header class="head">
      <h1 tabindex="-1">${t('jobs')}</h1>
      ${data ? html`<p class="quiet">${count('jobs.count', data.names)}</p>${asOf(answers.jobs)}` : nothing}
      ${filters(route, go)}
      ${data && act ? html`<span class="actions">${data.names ? ofAll(data, paused).map((kind) => button(act, {kind})) : nothing}${administer ? button(administer, {kind: 'create'}) : nothing}</span>` : nothing}
    </header>
    ${paused ? html`<p class="banner warn">${pausedBy(paused)}</p>` : nothing}
    ${data?.swept ? swept(data.swept) : nothing}
    ${data ? html`${lateOnly(t('jobs.ended'), answers.last)}${lateOnly(t('jobs.recent'), answers.latest)}
      <div class="part ${lateClass(answers.jobs, answers.last)}">${table(route, data, {last: answers.last?.data?.jobs ?? {}, latest: answers.latest?.data?.jobs ?? {}, traced: Boolean(answers.latest?.data), late: lateClass(answers.latest)}, act)}</div>` : problem ? failed(problem) : loading()}`;
}

// A job's own pause hides that of the namespace.
function ofAll(data, paused) {
  if (paused) return ['resumeAll'];
  return data.jobs.length && data.jobs.every((job) => job.paused) ? ['pauseAll', 'resumeAll'] : ['pauseAll'];
}

function filters(route, go) {
  const change = (name) => (event) => go({...route, [name]: event.target.value, after: ''}, name === 'search');
  return html`<form class="filters inline" role="search" @submit=${(event) => event.preventDefault()}>
    <label><span class="hidden">${t('jobs.search')}</span>
      <input type="search" name="search" placeholder=${t('jobs.search')} .value=${route.search} autocomplete="off" spellcheck="false" @input=${change('search')}></label>
    <label><span class="hidden">${t('jobs.state')}</span>
      <select name="state" @change=${change('state')}>
        <option value="" ?selected=${!route.state}>${t('jobs.anyState')}</option>
        <optgroup label=${t('jobs.condition')}>${CONDITIONS.map((state) => option(state, 'condition.', route.state))}</optgroup>
        <optgroup label=${t('jobs.status')}>${STATES.map((state) => option(state, 'status.', route.state))}</optgroup>
      </select></label>
    <label class="sorting"><span class="hidden">${t('jobs.sort')}</span>
      <select name="sort" @change=${change('sort')}>
        ${Object.values(FIRST).flatMap((sort) => [sort, reversed(sort)]).map((sort) => option(sort, 'sort.', route.sort || 'name'))}
      </select></label>
    ${route.state || route.sort ? html`<p class="quiet hint">${t('jobs.stateIsSlow')}</p>` : nothing}
  </form>`;
}

function option(value, kind, chosen) {
  return html`<option value=${value} ?selected=${chosen === value}>${t(kind + value)}</option>`;
}

function reversed(sort) {
  return sort.startsWith('-') ? sort.slice(1) : '-' + sort;
}

// A column's head orders by it; once more, the other way round.
function head(route, column, words, classes = '') {
  const present = route.sort || FIRST.name;
  const sorted = present === column || present === '-' + column;
  const next = sorted ? reversed(present) : FIRST[column];
  const order = sorted ? (present.startsWith('-') ? 'descending' : 'ascending') : nothing;
  return html`<th scope="col" class=${classes} aria-sort=${order}><a class="sort" data-key=${'sort-' + column} title=${t('sort.' + next)}
    href=${href({...route, view: 'jobs', sort: next === FIRST.name ? '' : next, after: ''})}>${words}<span class="arrow" aria-hidden="true">${
    sorted ? (present.startsWith('-') ? '▼' : '▲') : ''}</span></a></th>`;
}

function table(route, data, known, act) {
  if (data.jobs.length === 0) return empty(route);
  return html`
    <div class="card">
      <table class="jobs list">
        <thead><tr>${act ? html`<th>${bulk.boxOfAll(data.jobs.map((job) => job.name).filter((job) => act.may({kind: 'pause', job})), () => act(null))}</th>` : nothing}
          ${head(route, 'name', t('job'))}${head(route, 'condition', t('jobs.state'))}
          ${known.traced ? html`<th scope="col" class="recent">${t('jobs.recent')}</th>` : nothing}
          ${head(route, 'ended', t('jobs.ended'))}${head(route, 'next_firing', t('nextFiring'))}
          <th scope="col" class="plan">${t('schedule')}</th>
          ${head(route, 'items', t('items'), 'number')}${head(route, 'instances', t('instances'), 'number')}
        </tr></thead>
        <tbody>${data.jobs.map((job) => row(route, job, known, act))}</tbody>
      </table>
    </div>
    ${pages(route, data)}
    <p class="small"><a class="yaml" href=${`api/v1/registries/${segment(route.registry)}/definitions.yaml`} target="_blank" rel="noopener">${t('jobs.yaml')}</a></p>`;
}

function row(route, job, known, act) {
  const last = known.last[job.name];
  return html`<tr>${act ? html`<td class="choose">${act.may({kind: 'pause', job: job.name}) ? bulk.box(job.name, () => act(null)) : nothing}</td>` : nothing}
    <th scope="row"><a class="name" href=${href({registry: route.registry, job: job.name})}>${breakable(job.name)}</a></th>
    <td class="state">${condition(conditionOf(job, last))}${job.status !== 'READY' && job.paused ? html` <span class="quiet small detail">${pausedBy(job.paused)}</span>` : nothing}</td>
    ${known.traced ? html`<td class="recent ${known.late}">${strip(known.latest[job.name] ?? [])}</td>` : nothing}
    <td data-label=${t('jobs.ended')}>${last?.finishedAt ? ago(last.finishedAt) : html`<span class="quiet">–</span>`}</td>
    <td data-label=${t('nextFiring')}>${job.nextFiring ? ago(job.nextFiring) : html`<span class="quiet">${noFiring(job)}</span>`}</td>
    <td data-label=${t('schedule')} class="plan">${schedule(job)}</td>
    <td data-label=${t('items')} class="number">${last?.items || ''}</td>
    <td data-label=${t('instances')} class="number">${job.instances.length}</td>
  </tr>`;
}

// The distance only; the moment is in the title.
function ago(iso) {
  return html`<time datetime=${iso} title=${full(iso)}>${relative(iso)}</time>`;
}

// What a job is to a person: one word, the worst that is true of it, and since when or by whom.
export function conditionOf(job, last) {
  if (job.status !== 'READY') return {kind: 'status', state: job.status, says: job.problem ?? ''};
  if (last?.trouble) return {kind: 'finding', state: last.trouble.kind, since: last.trouble.since, of: last.trouble.items, items: last.items};
  // How it ended last comes a moment later: until then, nobody knows whether it is well.
  if (!last) return {kind: 'condition', state: 'ASKED'};
  if (last.state === 'RUNNING') return {kind: 'item', state: 'RUNNING', of: last.of, items: last.items};
  return last.state === 'COMPLETED' ? {kind: 'condition', state: 'HEALTHY'} : {kind: 'item', state: last.state};
}

export function condition({kind, state, since, of, items, says}) {
  const some = of && of < items ? t('last.of', {n: of, of: items}) : '';
  return html`<span title=${says || nothing}>${chip(kind, state)}</span> ${some ? html`<span class="quiet small">${some}</span>` : nothing}
    ${since ? html`<span class="quiet small" title=${full(since)}>${t('for', {time: distance(since)})}</span>` : nothing}`;
}

// The latest firings, the newest at the right: one bar each, with a shape as well as a colour.
function strip(ends) {
  const shown = ends.slice(0, STRIP).reverse();
  if (shown.length === 0) return nothing;
  const bad = shown.filter((one) => look(one.outcome)[0] === 'bad').length;
  const words = `${count('jobs.recent.of', shown.length)}, ${count('jobs.recent.bad', bad)}`;
  return html`<span class="strip" role="img" aria-label=${words} title=${words}>${shown.map((one) => html`<i class=${look(one.outcome)[0]}></i>`)}</span>`;
}

// Before the first plan, and where a node can't be read, the registry doesn't show whether there is a schedule.
export function isKnown(job) {
  return job.epoch >= 0 && job.status !== 'UNREADABLE';
}

// Without what leaves out or moves firings, which can be long; its title has all of it.
export function schedule(job) {
  const {kind, text: all = '', timeZone} = job.schedule ?? {};
  const plain = all.split(/ (?:except|shifted|from|until) /)[0];
  const more = plain === all ? nothing : html` <span class="quiet small" title=${all}>${t(all.includes(' except ') ? 'schedule.calendar' : 'schedule.more')}</span>`;
  if (OF_LENGTH[kind]) return html`${t(OF_LENGTH[kind], {time: period(plain.split(' ')[1])})}${more}`;
  if (plain) return html`<code>${plain}</code> <span class="quiet small">${timeZone}</span>${more}`;
  return html`<span class="quiet">${isKnown(job) ? t('schedule.none') : t('unknown')}</span>`;
}

export function noFiring(job) {
  if (!isKnown(job)) return t('unknown');
  const {kind, text = ''} = job.schedule ?? {};
  // While a firing goes on, nobody knows when the next one is.
  const until = text.split(' until ')[1];
  if (kind === 'FIXED_DELAY' && !(new Date(until) < new Date())) return t('firing.afterEnd');
  return text ? t('firing.never') : t('firing.onRequest');
}

function pages(route, data) {
  if (!route.after && !data.next) return nothing;
  return html`<nav class="pages" aria-label=${t('pages')}>
    ${route.after ? html`<a class="button" href=${href({...route, after: ''})}>${t('pages.first')}</a>` : nothing}
    ${data.next ? html`<a class="button" href=${href({...route, after: data.next})}>${t('pages.next')}</a>` : nothing}
  </nav>`;
}

function empty(route) {
  const filtered = route.search || route.state || route.after;
  return html`<section class="empty">
    <h2>${filtered ? t('jobs.noneFound') : t('jobs.none')}</h2>
    <p class="quiet">${filtered ? html`<a href=${href({view: 'jobs', registry: route.registry})}>${t('jobs.showAll')}</a>` : t('jobs.none.why')}</p>
  </section>`;
}
