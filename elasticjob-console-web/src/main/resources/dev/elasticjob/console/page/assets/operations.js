// What people have done: who, what, why, and what came of it.
import {html, nothing} from './lit-html.js';
import {away} from './firings.js';
import {asOf, lateClass, TRACED} from './freshness.js';
import {chip, loading, when} from './parts.js';
import {href, segment} from './route.js';
import {t} from './texts.js';

const OF_ALL = '*';

function query(route, names) {
  const asked = new URLSearchParams();
  for (const [name, value] of names) if (value) asked.set(name, value);
  return `registries/${segment(route.registry)}/operations?${asked}`;
}

function filter(route) {
  return [['job', route.of], ['actor', route.actor], ['refused', route.refused]];
}

export function sources(route) {
  return [{key: 'operations', path: query(route, [...filter(route), ['before', route.before]]), ...TRACED}];
}

export function title() {
  return t('operations');
}

export function view(route, answers, go) {
  const {data, problem} = answers.operations ?? {};
  return html`<header class="head"><h1 tabindex="-1">${t('operations')}</h1>${asOf(answers.operations)}
      ${data ? html`<span class="actions"><a class="button" download href=${'api/v1/' + query(route, [...filter(route), ['format', 'csv']])}>${t('csv')}</a></span>` : nothing}</header>
    ${filters(route, go)}
    ${data ? html`<div class="part ${lateClass(answers.operations)}">${table(route, data)}</div>` : problem ? away(problem) : loading()}`;
}

function filters(route, go) {
  const ask = (name, typing) => (event) => go({...route, before: '', [name]: event.target.value}, typing);
  return html`<form class="filters" role="search" @submit=${(event) => event.preventDefault()}>
    ${['of', 'actor'].map((name) => html`<label><span>${t(name === 'of' ? 'job' : 'operations.actor')}</span>
      <input type="search" name=${name} .value=${route[name]} autocomplete="off" spellcheck="false" @input=${ask(name, true)}></label>`)}
    <label><span>${t('operations.outcome')}</span><select name="refused" @change=${ask('refused', false)}>
      <option value="" ?selected=${!route.refused}>${t('operations.any')}</option>
      <option value="true" ?selected=${route.refused === 'true'}>${t('operations.onlyRefused')}</option></select></label></form>`;
}

function table(route, {operations, next}) {
  if (operations.length === 0) {
    return html`<section class="empty"><h2>${t('operations.none')}</h2><p class="quiet">${t('operations.none.why')}</p></section>`;
  }
  const heads = ['operations.at', 'operations.actor', 'operations.command', 'operations.before', 'operations.outcome'];
  return html`<div class="card"><table class="jobs operations"><thead><tr>${heads.map((head) => html`<th scope="col">${t(head)}</th>`)}</tr></thead>
      <tbody>${operations.map((one) => row(route, one))}</tbody></table></div>
    <p class="pages">${route.before ? html`<a class="button" href=${href({...route, before: ''})}>${t('operations.latest')}</a>` : nothing}
      ${next ? html`<a class="button" href=${href({...route, before: next})}>${t('operations.earlier')}</a>` : nothing}</p>`;
}

function row(route, one) {
  const job = one.job === OF_ALL ? t('operations.allJobs') : html`<a class="name" href=${href({registry: route.registry, job: one.job})}>${one.job}</a>`;
  return html`<tr><td data-label=${t('operations.at')}>${when(one.at)}</td>
    <td data-label=${t('operations.actor')} class="name">${one.actor}</td>
    <th scope="row">${job}<p lang="en">${one.command}</p>${one.reason ? html`<p class="quiet small">${one.reason}</p>` : nothing}</th>
    <td data-label=${t('operations.before')} class="name" lang="en">${one.before || '–'}</td>
    <td data-label=${t('operations.outcome')}>${chip('operation', one.succeeded ? 'COMPLETED' : 'REFUSED')}<p class="small name" lang="en">${one.outcome}</p></td></tr>`;
}
