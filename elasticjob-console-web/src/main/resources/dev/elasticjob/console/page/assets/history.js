// Executions of all jobs that the trace has recorded, and firings that did not run.
import {html, nothing} from './lit-html.js';
import {away, details, happened} from './firings.js';
import {lasted} from './format.js';
import {asOf, lateClass, part, TRACED} from './freshness.js';
import {load} from './load.js';
import {chip, failed, loading, when} from './parts.js';
import {href, segment} from './route.js';
import {t} from './texts.js';

const OUTCOMES = ['RUNNING', 'COMPLETED', 'FAILED', 'TIMEOUT', 'INTERRUPTED', 'CANCELLED', 'LOST', 'FOLDED', 'SKIPPED', 'DROPPED'];

// Many executions are read for it, every half minute.
const LOAD = {pause: 15_000, late: 60_000};

function query(route, more) {
  const asked = new URLSearchParams();
  const names = [['job', route.of], ['item', route.item], ['outcome', route.outcome], ['from', route.from], ['until', route.until], more];
  for (const [name, value] of names) if (value) asked.set(name, value);
  return `registries/${segment(route.registry)}/executions?${asked}`;
}

function ofLoad(route) {
  const asked = new URLSearchParams();
  for (const [name, value] of [['job', route.of], ['from', route.from], ['until', route.until]]) if (value) asked.set(name, value);
  return `registries/${segment(route.registry)}/load?${asked}`;
}

export function sources(route) {
  const all = [{key: 'executions', path: query(route, ['before', route.before]), ...TRACED}, {key: 'load', path: ofLoad(route), ...LOAD}];
  if (route.execution) {
    const path = `registries/${segment(route.registry)}/executions/${segment(route.execution)}`;
    all.push({key: 'execution', path, ...TRACED}, {key: 'steps', path: path + '/steps', ...TRACED});
  }
  return all;
}

export function title() {
  return t('history');
}

export function view(route, answers, go) {
  const {data, problem} = answers.executions ?? {};
  return html`<header class="head"><h1 tabindex="-1">${t('history')}</h1>${asOf(answers.executions)}
      ${data ? html`<span class="actions"><a class="button" download href=${'api/v1/' + query(route, ['format', 'csv'])}>${t('csv')}</a></span>` : nothing}</header>
    ${filters(route, go)}${load(answers.load)}
    ${data ? html`<div class="split ${route.execution ? 'open' : ''}"><section class="part ${lateClass(answers.executions)}" aria-label=${t('history')}>${table(route, data)}</section>
      ${route.execution ? panel(route, answers) : nothing}</div>` : problem ? away(problem) : loading()}`;
}

function filters(route, go) {
  const ask = (name, typing, value = (text) => text) => (event) => go({...route, before: '', execution: '', [name]: value(event.target.value)}, typing);
  return html`<form class="filters" role="search" @submit=${(event) => event.preventDefault()}>
    <label><span>${t('job')}</span><input type="search" name="of" .value=${route.of} autocomplete="off" spellcheck="false" @input=${ask('of', true)}></label>
    <label><span>${t('history.item')}</span><input type="number" name="item" min="0" step="1" .value=${route.item} @input=${ask('item', true)}></label>
    <label><span>${t('history.outcome')}</span><select name="outcome" @change=${ask('outcome', false)}>
      ${['', ...OUTCOMES].map((one) => html`<option value=${one} ?selected=${one === route.outcome}>${one ? t('outcome.' + one) : t('operations.any')}</option>`)}</select></label>
    ${['from', 'until'].map((name) => html`<label><span>${t('history.' + name)}</span>
      <input type="datetime-local" name=${name} .value=${local(route[name])} @change=${ask(name, false, moment)}></label>`)}</form>`;
}

// The address has the moment, the field the reader's own time.
export function local(iso) {
  const time = new Date(iso);
  if (!iso || Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function moment(text) {
  const time = new Date(text);
  return text && !Number.isNaN(time.getTime()) ? time.toISOString() : '';
}

function table(route, {executions, next}) {
  if (executions.length === 0) return html`<section class="empty"><h2>${t('history.none')}</h2></section>`;
  const heads = ['job', 'last.scheduledAt', 'history.outcome', 'last.lasted', 'instance'];
  return html`<div class="card"><table class="jobs executions"><thead><tr>${heads.map((head) => html`<th scope="col">${t(head)}</th>`)}</tr></thead>
      <tbody>${executions.map((one) => row(route, one))}</tbody></table></div>
    <p class="pages">${route.before ? html`<a class="button" href=${href({...route, before: ''})}>${t('operations.latest')}</a>` : nothing}
      ${next ? html`<a class="button" href=${href({...route, before: next})}>${t('operations.earlier')}</a>` : nothing}</p>`;
}

function row(route, one) {
  const chosen = one.id === route.execution;
  return html`<tr><th scope="row"><a class="name" href=${href({...route, execution: chosen ? '' : one.id})} aria-current=${chosen ? 'true' : nothing}>${one.job} · ${t('item', {n: one.item})}</a>
      ${one.failure ? html`<p class="problem" lang="en">${one.failure.split('\n')[0]}</p>` : nothing}</th>
    <td data-label=${t('last.scheduledAt')}>${when(one.scheduledAt)}</td>
    <td>${chip('outcome', one.outcome)}</td>
    <td data-label=${t('last.lasted')}>${one.startedAt && one.endedAt ? lasted(one.startedAt, one.endedAt) : '–'}</td>
    <td data-label=${t('instance')} class="name">${one.instance ?? '–'}</td></tr>`;
}

function panel(route, {execution, steps}) {
  const entry = execution?.data;
  return html`<section class="panel card" aria-label=${t('last')}><header><h2>${entry ? t('item', {n: entry.item}) : t('last')}</h2>
      ${entry ? chip('outcome', entry.outcome) : nothing}<a class="close" href=${href({...route, execution: ''})} aria-label=${t('close')}>✕</a></header>
    ${entry ? html`<p><a href=${href({registry: route.registry, job: entry.job, item: String(entry.item)})}>${entry.job}</a></p>${part(execution, details(route, entry))}`
    : execution?.problem ? failed(execution.problem) : loading()}
    ${happened(steps?.data)}
  </section>`;
}
