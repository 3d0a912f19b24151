// The settings of a job: shown, and edited by administrators. Only what was changed is sent.
import {html, nothing} from './lit-html.js';
import {moment} from './format.js';
import {list, marks, placed, refusal, showProblem} from './forms.js';
import {when} from './parts.js';
import {href} from './route.js';
import {t} from './texts.js';

// The type and the class belong to the application.
const FIXED = ['jobType', 'jobClass'];
const MASK = '******';

let saved = null; // what was saved last: the answer, and the versions that it replaces
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
    group[last] = differing(value, valueOf(value, typed[name]));
  }
  return changes;
}

const isMap = (value) => value && typeof value === 'object' && !Array.isArray(value);

// Of a map, what stays isn't sent: it may be a mask.
function differing(before, now) {
  if (!isMap(before) || !isMap(now)) return now;
  const gone = Object.keys(before).filter((key) => !(key in now)).map((key) => [key, null]);
  const other = Object.entries(now).filter(([key, value]) => !(key in before) || text(value) !== text(before[key]));
  return Object.fromEntries([...gone, ...other]);
}

// What the settings were before some changes, of which the newest is the first: those that were changed, and go back. Those
// that the definition doesn't have now, because they have their defaults, come with the values that they had last. What was
// masked, or not kept, stays as it is now.
export function earlier(present, changes) {
  const now = {...present};
  const values = {};
  const unknown = new Set();
  for (const {setting, before, after} of changes) {
    if (!(setting in now) && after !== null) now[setting] = after;
    values[setting] = before;
  }
  for (const [setting, value] of Object.entries(values)) {
    if (value === null || !(setting in now) || FIXED.includes(setting)) {
      unknown.add(setting);
      delete values[setting];
    } else values[setting] = withoutMasks(value, now[setting], setting, unknown);
  }
  return {now: flat(now), then: flat({...now, ...values}), unknown: [...unknown]};
}

function withoutMasks(then, now, name, unknown) {
  if (then === MASK) {
    unknown.add(name);
    return now;
  }
  if (!isMap(then)) return then;
  const entries = Object.entries(then).map(([key, value]) => [key, withoutMasks(value, now?.[key], `${name}.${key}`, unknown)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export function forget() {
  edit = null;
}

export function isEditing() {
  return edit !== null;
}

function begin(route, data) {
  edit = {registry: route.registry, job: route.job, version: data.version, before: flat(data.settings), typed: {}, problem: null, restored: null};
}

// Fills the form with what was before a change.
function restore(route, data, changed, place) {
  begin(route, data);
  const {now, then, unknown} = earlier(data.settings, changed.slice(0, place + 1).flatMap((one) => one.settings));
  edit.before = now;
  for (const name of Object.keys(now)) if (text(then[name]) !== text(now[name])) edit.typed[name] = text(then[name]);
  edit.restored = {at: changed[place].at, unknown};
}

// What was saved here is shown at once, and may be changed again, until it is read.
export function keepSaved({registry, job, version}, answer) {
  const older = saved && saved.registry === registry && saved.job === job ? saved.older : [];
  saved = {registry, job, older: [...older, version], answer};
}

function latest(route, data) {
  return saved && saved.registry === route.registry && saved.job === route.job && saved.older.includes(data.version) ? saved.answer : data;
}

// ------------------------------------------------------------------ on the page

export function settings(route, read, act, commands) {
  const data = latest(route, read);
  const editing = edit && edit.job === route.job && edit.registry === route.registry;
  return editing ? form(data, act) : html`${table(route, data, act)}${commands ? history(route, data, act, commands.commands) : nothing}`;
}

// Who has changed the settings, and to what they can go back.
function history(route, data, act, commands) {
  const changed = commands.filter((one) => one.settings.length);
  const back = (place) => () => {
    restore(route, data, changed, place);
    scrollTo(0, 0);
    act(null);
  };
  return html`<h2 class="section">${t('settings.earlier')}</h2><p class="quiet">${t(changed.length ? 'settings.earlier.why' : 'settings.earlier.none')}</p>
    ${changed.length ? html`<div class="card"><table class="commands earlier">
      <thead><tr>${['commands.at', 'commands.actor', 'settings.changed'].map((key) => html`<th scope="col">${t(key)}</th>`)}${act ? html`<td></td>` : nothing}</tr></thead>
      <tbody>${changed.map((one, place) => html`<tr><td>${when(one.at)}</td>
        <th scope="row">${one.actor || t('unknown')}${one.reason ? html`<p class="quiet small">${one.reason}</p>` : nothing}</th>
        <td>${one.settings.map(change)}</td>
        ${act ? html`<td><button type="button" class="button" @click=${back(place)}>${t('settings.restore')}</button></td>` : nothing}</tr>`)}</tbody></table></div>` : nothing}`;
}

function change({setting, before, after}) {
  const value = (one) => one === null ? html`<span class="quiet">${t('settings.notKept')}</span>` : html`<code>${text(one) || '–'}</code>`;
  return html`<p class="name"><strong>${setting}</strong>: ${value(before)} → ${value(after)}</p>`;
}

function restored({at, unknown}) {
  const same = Object.keys(edit.typed).length === 0;
  return html`<div class="banner warn" role="status"><strong>${t('settings.restored', {when: moment(at)})}</strong>
    ${same ? t('settings.same') : nothing} ${unknown.length ? t('settings.stay', {names: unknown.join(', ')}) : nothing}</div>`;
}

function table(route, data, act) {
  const entries = Object.entries(flat(data.settings)).filter(([, value]) => value !== '' && value !== null);
  return html`<div class="head"><p class="quiet">${t('settings.version', {version: data.version})}
      <a href=${href({view: 'operations', registry: route.registry, of: route.job})}>${t('settings.changes')}</a></p>
      ${act ? html`<span class="actions">
        <button type="button" class="button" @click=${() => act({kind: 'remove'})}>${t('command.remove.do')}</button>
        <button type="button" class="button primary" data-key="settings" @click=${() => { begin(route, data); act(null); }}>${t('settings.edit')}</button></span>` : nothing}</div>
    <div class="card"><table class="settings"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('value')}</th></tr></thead>
      <tbody>${entries.map(([name, value]) => html`<tr><th scope="row"><code>${name}</code></th>
        <td>${typeof value === 'object' ? html`<code>${text(value)}</code>` : String(value)}</td></tr>`)}</tbody></table></div>`;
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
      failed: (problem) => {
        mine.problem = problem;
        showProblem();
      },
      done: () => { if (edit === mine) edit = null; },
    });
  };
  const leave = () => {
    edit = null;
    act(null);
  };
  const {at, rest} = placed(edit.problem, Object.keys(edit.before));
  return html`<form class="edit" data-key="settings" @submit=${review} novalidate>
    ${edit.restored ? restored(edit.restored) : nothing}
    ${edit.problem && !outdated ? refusal(edit.problem, rest) : nothing}
    ${outdated ? conflict(edit.problem?.theirs ?? data, act) : nothing}
    <div class="card"><table class="settings"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('value')}</th></tr></thead>
      <tbody>${Object.entries(edit.before).map(([name, value]) => row(name, value, at.get(name), act))}</tbody></table></div>
    <div class="buttons">
      <button type="button" class="button" @click=${leave}>${t('cancel')}</button>
      <button type="submit" class="button primary" ?disabled=${!changed}>${t('settings.review')}</button></div></form>`;
}

function row(name, value, wrong, act) {
  const id = 'field-' + name;
  const typed = edit.typed[name] ?? text(value);
  const type = (event) => {
    edit.typed[name] = event.target.value;
    act(null);
  };
  return html`<tr class=${typed === text(value) ? '' : 'changed'}><th scope="row"><label for=${id}><code>${name}</code></label></th>
    <td>${FIXED.includes(name) ? text(value) : control(id, name, value, typed, type, marks(id, wrong))}${list(id, wrong)}</td></tr>`;
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
    // What they don't have, because it has its default, is still mine to set.
    const notTheirs = Object.fromEntries(Object.keys(mine).filter((name) => !(name in now)).map((name) => [name, edit.before[name]]));
    Object.assign(edit, {version: theirs.version, before: {...notTheirs, ...now}, typed: mine, problem: null});
    act(null);
  };
  const take = () => {
    Object.assign(edit, {version: theirs.version, before: now, typed: {}, problem: null, restored: null});
    act(null);
  };
  return html`<section class="banner warn" aria-labelledby="conflict" tabindex="-1" data-conflict><h2 id="conflict">${t('conflict')}</h2>
    <p role="alert">${t('conflict.nothingSaved')}</p>
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
