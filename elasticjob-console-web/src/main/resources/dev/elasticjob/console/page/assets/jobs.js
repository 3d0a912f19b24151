// All jobs of a registry, 50 at a time.
import {html, nothing} from './lit-html.js';
import * as bulk from './bulk.js';
import {button} from './commands.js';
import {chip, failed, loading, look, pausedBy, swept, when} from './parts.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

export const STATES = ['READY', 'NO_INSTANCE', 'PAUSED', 'DISABLED', 'DRAINED', 'UNREADABLE', 'FOREIGN_INSTANCES', 'NO_LEADER', 'UNPLANNED', 'REMOVED'];
const PAUSE = 5_000;

// How they ended last is asked for those on the page, as many as an address has room for.
const LAST_PAUSE = 10_000;
const MOST_OF_ADDRESS = 3_000;

export function sources(route, answers = {}) {
  const query = new URLSearchParams();
  for (const name of ['search', 'state', 'after']) if (route[name]) query.set(name, route[name]);
  const registry = `registries/${segment(route.registry)}`;
  const all = [{key: 'jobs', path: `${registry}/jobs?${query}`, pause: PAUSE}];
  let names = '';
  for (const {name} of answers.jobs?.data?.jobs ?? []) {
    if (names.length + segment(name).length < MOST_OF_ADDRESS) names += (names && ',') + segment(name);
  }
  if (names) all.push({key: 'last', path: `${registry}/last?jobs=${names}`, pause: LAST_PAUSE});
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
      ${data ? html`<p class="quiet">${count('jobs.count', data.names)}</p>` : nothing}
      ${data && act ? html`<span class="actions">${data.names ? ofAll(data, paused).map((kind) => button(act, {kind})) : nothing}${administer ? button(administer, {kind: 'create'}) : nothing}</span>` : nothing}
    </header>
    ${paused ? html`<p class="banner warn">${pausedBy(paused)}</p>` : nothing}
    ${filters(route, go)}
    ${data?.swept ? swept(data.swept) : nothing}
    ${data ? table(route, data, answers.last?.data?.jobs ?? {}, act) : problem ? failed(problem) : loading()}`;
}

// A job's own pause hides that of the namespace.
function ofAll(data, paused) {
  if (paused) return ['resumeAll'];
  return data.jobs.length && data.jobs.every((job) => job.paused) ? ['pauseAll', 'resumeAll'] : ['pauseAll'];
}

function filters(route, go) {
  const change = (name) => (event) => go({...route, [name]: event.target.value, after: ''}, name === 'search');
  return html`<form class="filters" role="search" @submit=${(event) => event.preventDefault()}>
    <label><span>${t('jobs.search')}</span>
      <input type="search" name="search" .value=${route.search} autocomplete="off" spellcheck="false" @input=${change('search')}></label>
    <label><span>${t('jobs.state')}</span>
      <select name="state" @change=${change('state')}>
        <option value="" ?selected=${!route.state}>${t('jobs.anyState')}</option>
        ${STATES.map((state) => html`<option value=${state} ?selected=${route.state === state}>${t('status.' + state)}</option>`)}
      </select></label>
    ${route.state ? html`<p class="quiet hint">${t('jobs.stateIsSlow')}</p>` : nothing}
  </form>`;
}

function table(route, data, last, act) {
  if (data.jobs.length === 0) return empty(route);
  return html`
    <div class="card">
      <table class="jobs">
        <thead><tr>${act ? html`<th>${bulk.boxOfAll(data.jobs.map((job) => job.name), () => act(null))}</th>` : nothing}
          <th scope="col">${t('jobs.state')}</th><th scope="col">${t('job')}</th><th scope="col">${t('schedule')}</th>
          <th scope="col">${t('nextFiring')}</th><th scope="col" class="number">${t('instances')}</th>
          <th scope="col" class="number">${t('items')}</th><th scope="col">${t('last')}</th>
        </tr></thead>
        <tbody>${data.jobs.map((job) => row(route, job, last[job.name], act))}</tbody>
      </table>
    </div>
    ${pages(route, data)}`;
}

function row(route, job, last, act) {
  return html`<tr>${act ? html`<td class="choose">${bulk.box(job.name, () => act(null))}</td>` : nothing}
    <td>${chip('status', job.status)}</td>
    <th scope="row"><a class="name" href=${href({registry: route.registry, job: job.name})}>${job.name}</a>
      ${job.problem ? html`<p class="problem" lang="en">${job.problem}</p>` : nothing}
      ${job.paused?.scope === 'JOB' ? html`<p class="quiet small">${pausedBy(job.paused)}</p>` : nothing}</th>
    <td data-label=${t('schedule')}>${schedule(job)}</td>
    <td data-label=${t('nextFiring')}>${when(job.nextFiring, noFiring(job))}</td>
    <td data-label=${t('instances')} class="number">${job.instances.length}</td>
    <td data-label=${t('items')} class="number">${last ? last.items : ''}</td>
    <td data-label=${t('last')}>${last ? ended(last) : ''}</td>
  </tr>`;
}

// The worst of its items, how many of them, and when.
function ended({state, of, items, finishedAt}) {
  const [tone, glyph] = look(state);
  return html`<span class="last ${tone}"><span aria-hidden="true">${glyph}</span> ${t('item.' + state)}${of < items ? ` ${t('last.of', {n: of, of: items})}` : ''}</span>
    ${finishedAt ? when(finishedAt) : nothing}`;
}

// Before the first plan, and where a node can't be read, the registry doesn't show whether there is a schedule.
export function isKnown(job) {
  return job.epoch >= 0 && job.status !== 'UNREADABLE';
}

export function schedule(job) {
  if (job.cron) return html`<code>${job.cron}</code> <span class="quiet">${job.timeZone}</span>`;
  return html`<span class="quiet">${isKnown(job) ? t('schedule.none') : t('unknown')}</span>`;
}

export function noFiring(job) {
  if (!isKnown(job)) return t('unknown');
  return job.cron ? t('firing.never') : t('firing.onRequest');
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
    <p class="quiet">${filtered ? html`<a href=${href({registry: route.registry})}>${t('jobs.showAll')}</a>` : t('jobs.none.why')}</p>
  </section>`;
}
