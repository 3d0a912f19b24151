// The servers of all jobs.
import {html, nothing} from './lit-html.js';
import {button} from './commands.js';
import {failed, loading} from './parts.js';
import {segment} from './route.js';
import {count, t} from './texts.js';

const PAUSE = 10_000;

export function sources(route) {
  return [{key: 'servers', path: `registries/${segment(route.registry)}/servers`, pause: PAUSE, late: 45_000}];
}

export function title() {
  return t('servers');
}

export function view(route, answers, go, act) {
  const {data, problem} = answers.servers ?? {};
  return html`<header class="head"><h1 tabindex="-1">${t('servers')}</h1>
      ${data ? html`<p class="quiet">${count('servers.count', data.servers.length)}</p>` : nothing}</header>
    ${data ? table(data, act) : problem ? failed(problem) : loading()}`;
}

function table(data, act) {
  if (data.servers.length === 0) return html`<section class="empty"><h2>${t('servers.none')}</h2></section>`;
  return html`<p class="quiet">${t('servers.age')}</p><div class="card"><table class="jobs servers">
    <thead><tr><th scope="col">${t('server')}</th><th scope="col">${t('instances')}</th><th scope="col" class="number">${t('jobs')}</th>
      <th scope="col" class="number">${t('servers.disabled')}</th><th scope="col" class="number">${t('servers.dead')}</th></tr></thead>
    <tbody>${data.servers.map((one) => html`<tr><th scope="row" class="name">${one.server}</th>
      <td data-label=${t('instances')}>${one.instances.map((id) => html`<div>${id} ${act ? html`<span class="badges">
        ${['drainAll', 'undrainAll'].map((kind) => button(act, {kind, instance: id}, 'link'))}</span>` : nothing}</div>`)}</td>
      <td data-label=${t('jobs')} class="number">${one.jobs}</td><td data-label=${t('servers.disabled')} class="number">${one.disabledJobs}</td>
      <td data-label=${t('servers.dead')} class="number">${one.deadJobs}</td></tr>`)}</tbody></table></div>`;
}
