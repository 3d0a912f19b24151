// The settings of a job: shown, and edited by administrators. Only what was changed is sent.
import {html, nothing} from './lit-html.js';
import {moment} from './format.js';
import {problemText} from './parts.js';
import {href} from './route.js';
import {t} from './texts.js';

// The type and the class belong to the application.
const FIXED = ['jobType', 'jobClass'];

let edit = null; // what is being edited: of which job, from which version, and the texts of the fields

// The settings by name; a dot leads into a group. Lists and empty groups are one value.
export function flat(settings, prefix = '') {
  const found = {};
  for (const [name, value] of Object.entries(settings)) {
    const group = value && typeof value === 'object' && !Array.isArray(value) && name !== 'jobProperties' && Object.keys(value).length > 0;
    if (group) Object.assign(found, flat(value, `${prefix}${name}.`));
    else found[prefix + name] = value;
  }
  return found;
}

export function text(value) {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// What the text of a field means. A text that can't be understood goes as it is, and the answer says what is wrong.
export function valueOf(before, typed) {
  if (typeof before === 'boolean') return typed === 'true';
  if (typeof before === 'number') return /^-?\d+$/.test(typed) ? Number(typed) : typed;
  if (before && typeof before === 'object') {
    try {
      return JSON.parse(typed);
    } catch {
      return typed;
    }
  }
  return typed;
}

// Only what differs, in groups again. A property that is gone is null.
export function patch(before, typed) {
  const changes = {};
  for (const [name, value] of Object.entries(before)) {
    if (!(name in typed) || typed[name] === text(value)) continue;
    const path = name.split('.');
    const last = path.pop();
    let group = changes;
    for (const part of path) group = group[part] ??= {};
    group[last] = withoutGone(value, valueOf(value, typed[name]));
  }
  return changes;
}

function withoutGone(before, now) {
  const isMap = (value) => value && typeof value === 'object' && !Array.isArray(value);
  if (!isMap(before) || !isMap(now)) return now;
  return {...Object.fromEntries(Object.keys(before).filter((key) => !(key in now)).map((key) => [key, null])), ...now};
}

export function forget() {
  edit = null;
}

export function isEditing() {
  return edit !== null;
}

function begin(route, data) {
  edit = {registry: route.registry, job: route.job, version: data.version, before: flat(data.settings), typed: {}, problem: null};
}

// ------------------------------------------------------------------ on the page

export function settings(route, data, act) {
  const editing = edit && edit.job === route.job && edit.registry === route.registry;
  return editing ? form(data, act) : table(route, data, act);
}

function table(route, data, act) {
  const entries = Object.entries(flat(data.settings)).filter(([, value]) => value !== '' && value !== null);
  return html`<div class="head"><p class="quiet">${t('settings.version', {version: data.version})}
      <a href=${href({view: 'operations', registry: route.registry, of: route.job})}>${t('settings.changes')}</a></p>
      ${act ? html`<span class="actions">
        <button type="button" class="button" @click=${() => act({kind: 'remove'})}>${t('command.remove.do')}</button>
        <button type="button" class="button primary" @click=${() => { begin(route, data); act(null); }}>${t('settings.edit')}</button></span>` : nothing}</div>
    <div class="card"><table class="settings"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('value')}</th></tr></thead>
      <tbody>${entries.map(([name, value]) => html`<tr><th scope="row"><code>${name}</code></th>
        <td>${typeof value === 'object' ? html`<code>${text(value)}</code>` : String(value)}</td></tr>`)}</tbody></table></div>`;
}

function violations(name) {
  const all = edit.problem?.violations ?? [];
  return all.filter((one) => one.field === name || (!(one.field in edit.before) && one.field.startsWith(name + '.')));
}

// Violations of no field that is shown.
function others() {
  const all = edit.problem?.violations ?? [];
  return all.filter((one) => !Object.keys(edit.before).some((name) => one.field === name || one.field.startsWith(name + '.')));
}

function form(data, act) {
  const changes = patch(edit.before, edit.typed);
  const changed = Object.keys(changes).length > 0;
  const outdated = edit.problem?.code === 'CHANGED' || (data.version !== edit.version && !edit.problem);
  const review = (event) => {
    event.preventDefault();
    if (!changed) return;
    edit.problem = null;
    const mine = edit;
    act({
      kind: 'redefine', settings: changes, version: edit.version,
      failed: (problem) => { mine.problem = problem; },
      done: () => { if (edit === mine) edit = null; },
    });
  };
  const leave = () => {
    edit = null;
    act(null);
  };
  return html`<form class="edit" @submit=${review} novalidate>
    ${edit.problem ? html`<div class="banner bad" role="alert"><strong>${problemText(edit.problem)}</strong>
      ${others().map((one) => html`<p lang="en">${one.field}: ${one.expected}</p>`)}
      ${edit.problem.violations?.length ? nothing : html`<p lang="en">${edit.problem.message}</p>`}</div>` : nothing}
    ${outdated ? conflict(edit.problem?.theirs ?? data, act) : nothing}
    <div class="card"><table class="settings"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('value')}</th></tr></thead>
      <tbody>${Object.entries(edit.before).map(([name, value]) => row(name, value, act))}</tbody></table></div>
    <div class="buttons">
      <button type="button" class="button" @click=${leave}>${t('cancel')}</button>
      <button type="submit" class="button primary" ?disabled=${!changed}>${t('settings.review')}</button></div></form>`;
}

function row(name, value, act) {
  const wrong = violations(name);
  const id = 'field-' + name;
  const typed = edit.typed[name] ?? text(value);
  const type = (event) => {
    edit.typed[name] = event.target.value;
    act(null);
  };
  const marked = {invalid: wrong.length ? 'true' : nothing, describedBy: wrong.length ? id + '-wrong' : nothing};
  return html`<tr class=${typed === text(value) ? '' : 'changed'}><th scope="row"><label for=${id}><code>${name}</code></label></th>
    <td>${FIXED.includes(name) ? text(value) : control(id, name, value, typed, type, marked)}
      ${wrong.length ? html`<ul class="wrong" id=${id + '-wrong'} lang="en">${wrong.map((one) => html`<li>${one.expected}</li>`)}</ul>` : nothing}</td></tr>`;
}

function control(id, name, value, typed, type, {invalid, describedBy}) {
  if (typeof value === 'boolean') {
    return html`<select id=${id} name=${name} aria-invalid=${invalid} aria-describedby=${describedBy} @change=${type}>
      ${['true', 'false'].map((one) => html`<option value=${one} ?selected=${one === typed}>${t('settings.' + one)}</option>`)}</select>`;
  }
  return html`<input id=${id} name=${name} .value=${typed} autocomplete="off" spellcheck="false" aria-invalid=${invalid} aria-describedby=${describedBy} @input=${type}>`;
}

// Others have changed the settings: theirs beside mine.
function conflict(theirs, act) {
  const now = flat(theirs.settings);
  const names = [...new Set([...Object.keys(edit.before), ...Object.keys(now)])].filter(
    (name) => text(now[name]) !== text(edit.before[name]) || edit.typed[name] !== undefined && edit.typed[name] !== text(edit.before[name]));
  const keep = () => {
    const mine = Object.fromEntries(Object.entries(edit.typed).filter(([name, typed]) => typed !== text(edit.before[name])));
    Object.assign(edit, {version: theirs.version, before: now, typed: mine, problem: null});
    act(null);
  };
  const take = () => {
    Object.assign(edit, {version: theirs.version, before: now, typed: {}, problem: null});
    act(null);
  };
  return html`<section class="banner warn" aria-labelledby="conflict"><h2 id="conflict">${t('conflict')}</h2>
    <table class="conflict"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('conflict.before')}</th>
      <th scope="col">${t('conflict.theirs')}</th><th scope="col">${t('conflict.mine')}</th></tr></thead>
    <tbody>${names.map((name) => html`<tr><th scope="row"><code>${name}</code></th><td>${text(edit.before[name])}</td>
      <td>${text(now[name])}</td><td>${edit.typed[name] ?? text(edit.before[name])}</td></tr>`)}</tbody></table>
    <p class="actions"><button type="button" class="button" @click=${take}>${t('conflict.take')}</button>
      <button type="button" class="button" @click=${keep}>${t('conflict.keep')}</button></p></section>`;
}

// What a change would do: in the dialog, before it is sent.
export function difference({changes, firingsBefore, firingsAfter}) {
  if (!changes) return nothing;
  const same = JSON.stringify(firingsBefore) === JSON.stringify(firingsAfter);
  const rows = Array.from({length: Math.max(firingsBefore.length, firingsAfter.length)}, (none, place) => place);
  return html`<table class="conflict"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('conflict.before')}</th><th scope="col">${t('settings.after')}</th></tr></thead>
      <tbody>${changes.map((one) => html`<tr><th scope="row"><code>${one.setting}</code></th><td>${text(one.before)}</td><td>${text(one.after)}</td></tr>`)}</tbody></table>
    ${same ? nothing : html`<table class="conflict"><caption>${t('tab.next')}</caption>
      <thead><tr><th scope="col">${t('conflict.before')}</th><th scope="col">${t('settings.after')}</th></tr></thead>
      <tbody>${rows.map((place) => html`<tr><td>${firing(firingsBefore[place], firingsAfter)}</td><td>${firing(firingsAfter[place], firingsBefore)}</td></tr>`)}</tbody></table>`}`;
}

function firing(time, others) {
  if (!time) return '–';
  return others.includes(time) ? moment(time) : html`<strong>${moment(time)}</strong>`;
}
