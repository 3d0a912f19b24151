// What needs a person, in all jobs, worst first.
import {html, nothing} from './lit-html.js';
import {asOf, lateClass} from './freshness.js';
import {breakable, chip, failed, loading, sentence, swept, when} from './parts.js';
import {remedyButton, toSettings} from './remedies.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

const PAUSE = 2_000;
const MOST_ITEMS = 12;

export function sources(route) {
  return [{key: 'attention', path: `registries/${segment(route.registry)}/attention`, pause: PAUSE}];
}

export function title() {
  return t('attention');
}

export function news(answers) {
  const data = answers.attention?.data;
  return data ? count('attention.count', data.total) : '';
}

export function view(route, answers, go, act) {
  const {data, problem} = answers.attention ?? {};
  return html`<header class="head"><h1 tabindex="-1">${t('attention')}</h1>
      ${data ? html`<p class="quiet">${count('attention.count', data.total)}</p>${asOf(answers.attention)}` : nothing}</header>
    ${data ? html`<div class="part ${lateClass(answers.attention)}">${swept(data.swept)}${unread('attention.groupsUnread', data.groupsUnread)}${unread('attention.appsUnread', data.appsUnread)}${table(route, data, act)}</div>` : problem ? failed(problem) : loading()}`;
}

function unread(text, problem) {
  return problem ? html`<p class="quiet">${t(text, {problem})}</p>` : nothing;
}

function table(route, data, act) {
  if (data.findings.length === 0) {
    return html`<section class="empty"><h2>${t(data.swept.complete ? 'attention.none' : 'attention.noneYet')}</h2>
      <p class="quiet">${t('attention.none.why')}</p></section>`;
  }
  return html`<div class="card"><table class="jobs findings">
    <thead><tr><th scope="col">${t('attention.what')}</th><th scope="col">${t('job')}</th><th scope="col">${t('items')}</th><th scope="col">${t('condition.since')}</th></tr></thead>
    <tbody>${data.findings.map((one) => row(route, one, act))}</tbody></table></div>
    ${data.total > data.findings.length ? html`<p class="quiet">${t('attention.more', {n: data.total - data.findings.length})}</p>` : nothing}`;
}

// What concerns all jobs has no job to go to.
export function subject(route, one) {
  if (one.kind === 'REGISTRY_DATA_LOST') return t('attention.allJobs');
  if (one.group) return html`${t('group')} <a class="name" href=${href({view: 'groups', registry: route.registry, group: one.group})}>${breakable(one.group)}</a>`;
  if (one.app) return html`${t('app')} <a class="name" href=${href({view: 'apps', registry: route.registry, app: one.app})}>${breakable(one.app)}</a>`;
  const job = {registry: route.registry, job: one.job};
  return html`<a class="name" href=${href({...job, item: one.items.length ? String(one.items[0]) : ''})}>${breakable(one.job)}</a>`;
}

// What the registry shows no time of may be older than this process.
function since({since, seen}) {
  return since || !seen ? when(since, t('unknown')) : html`<span title=${t('attention.seen.why')}>${t('attention.seen')} ${when(seen)}</span>`;
}

function row(route, one, act) {
  return html`<tr><td>${chip('finding', one.kind)}</td>
    <th scope="row">${subject(route, one)}
      <p class="quiet small">${sentence('fact', one.fact)}</p>
      <p class="small remedy">${sentence('remedy', one.remedy)} ${remedyButton(act, one.remedy, one.kind === 'REGISTRY_DATA_LOST' ? '' : one.job ?? '')}${toSettings(route, one.remedy, one.job)}</p></th>
    <td data-label=${one.items.length ? t('items') : nothing}>${one.items.slice(0, MOST_ITEMS).join(', ')}${one.items.length > MOST_ITEMS ? ` … (${one.items.length})` : ''}</td>
    <td data-label=${t('condition.since')}>${since(one)}</td></tr>`;
}
