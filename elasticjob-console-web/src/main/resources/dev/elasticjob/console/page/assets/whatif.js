// What a resharding would do under other conditions: who gets which items, and how many move.
import {html, nothing} from './lit-html.js';
import {failed, loading} from './parts.js';
import {segment} from './route.js';
import {count, t} from './texts.js';

const STRATEGIES = ['AVG_ALLOCATION', 'ODEVITY', 'ROUND_ROBIN', 'STICKY', 'ZONE', 'WEIGHTED', 'SPREAD', 'MEASURED'];
const OUTCOMES = ['moved', 'assigned', 'unowned', 'removed'];

// What the address asks, as the API understands it.
export function query(route) {
  const asked = new URLSearchParams();
  const without = gone(route).map(segment).join(',');
  if (without) asked.set('without', without);
  for (const name of ['more', 'total', 'strategy', 'runOn']) if (route[name]) asked.set(name, route[name]);
  return asked.toString();
}

// The address has the names as the API has them, because a name may contain a comma.
function gone(route) {
  try {
    return route.without ? JSON.parse(route.without).map(String) : [];
  } catch {
    return [];
  }
}

// Numbers as people write them: 0–3, 7.
export function ranges(items) {
  const parts = [];
  for (const item of items) {
    const last = parts[parts.length - 1];
    if (last && last[1] === item - 1) last[1] = item;
    else parts.push([item, item]);
  }
  return parts.map(([from, to]) => (from === to ? from : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`)).join(', ');
}

export function whatIf(route, data, {data: preview, problem}, go) {
  const ask = (change, typing = false) => go({...route, ...change}, typing);
  return html`<form class="filters whatif card" @submit=${(event) => event.preventDefault()}>
      ${data.instances.length ? html`<fieldset><legend>${t('whatif.without')}</legend>${data.instances.map((one) => leaving(route, one.id, ask))}</fieldset>` : nothing}
      ${number(route, 'more', [0, 1000], '0', ask)}
      ${number(route, 'total', [1, 100000], String(data.items.length || 1), ask)}
      <label><span>${t('whatif.strategy')}</span><select name="strategy" @change=${(event) => ask({strategy: event.target.value})}>
        ${['', ...STRATEGIES].map((one) => html`<option value=${one} ?selected=${one === route.strategy}>${one || t('whatif.present')}</option>`)}</select></label>
      <label><span>${t('set.runOn')}</span><input name="runOn" .value=${route.runOn} placeholder=${t('whatif.present')} autocomplete="off" spellcheck="false" @input=${(event) => ask({runOn: event.target.value}, true)}></label>
    </form>
    ${problem && !(preview && problem.status === 503) ? failed(problem) : preview ? result(preview) : loading()}`;
}

function leaving(route, id, ask) {
  const chosen = gone(route);
  const change = (event) => {
    const others = chosen.filter((one) => one !== id);
    const next = event.target.checked ? [...others, id] : others;
    ask({without: next.length ? JSON.stringify(next) : ''});
  };
  return html`<label class="choice"><input type="checkbox" name="without" value=${id} ?checked=${chosen.includes(id)} .checked=${chosen.includes(id)} @change=${change}> ${id}</label>`;
}

function number(route, name, [least, most], usual, ask) {
  return html`<label><span>${t('whatif.' + name)}</span><input type="number" name=${name} min=${least} max=${most} step="1" placeholder=${usual}
    .value=${route[name]} @input=${(event) => ask({[name]: event.target.value}, true)}></label>`;
}

function result(preview) {
  const said = OUTCOMES.filter((name) => preview[name].length);
  const joins = preview.instances.some((one) => one.change === 'JOINS');
  return html`<section aria-label=${t('whatif.result')} role="status">
      <ul class="whatif-says">${said.map((name) => html`<li>${count('whatif.' + name, preview[name].length)}
        <span class="quiet">${ranges(preview[name])}</span></li>`)}${said.length ? nothing : html`<li>${t('whatif.nothing')}</li>`}</ul>
      <p class="quiet">${t('whatif.by', {strategy: preview.strategy})}${joins ? ' ' + t('whatif.joining') : ''}</p></section>
    <div class="card"><table class="jobs shares"><thead><tr><th scope="col">${t('instance')}</th><th scope="col">${t('whatif.before')}</th>
      <th scope="col">${t('whatif.after')}</th><th scope="col">${t('whatif.gets')}</th><th scope="col">${t('whatif.gives')}</th></tr></thead>
      <tbody>${preview.instances.map(share)}</tbody></table></div>`;
}

function share({instance, change, eligible, before, after}) {
  const had = new Set(before);
  const has = new Set(after);
  const cell = (key, items) => html`<td data-label=${t(key)}>${items.length ? html`${ranges(items)} <span class="quiet">(${items.length})</span>` : '–'}</td>`;
  return html`<tr><th scope="row"><span class="name">${instance}</span>${change === 'STAYS' && eligible ? nothing : html` <span class="badge ${change === 'JOINS' ? '' : 'warn'}">${
    t(change === 'STAYS' ? 'whatif.notEligible' : 'whatif.' + change)}</span>`}</th>
    ${cell('whatif.before', before)}${cell('whatif.after', after)}
    ${cell('whatif.gets', after.filter((item) => !had.has(item)))}${cell('whatif.gives', before.filter((item) => !has.has(item)))}</tr>`;
}
