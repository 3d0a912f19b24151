// The settings of a job: shown, and edited by administrators. Only what was changed is sent.
import {html, nothing} from './lit-html.js';
import {inWords} from './cron.js';
import {applies, choices, fieldsOf, flat, grouped, GROUPS, isDelayed, isDuration, isMap, isTyped, patch, SCHEDULE, special, text, valueOf, written} from './fields.js';
import {full, isZone, moment, momentOfWeek, period, relative} from './format.js';
import {list, marks, placed, refusal, showProblem} from './forms.js';
import {leftOut, span, withLeftOut} from './leftout.js';
import {breakable, when} from './parts.js';
import {href, segment} from './route.js';
import {count, has, t} from './texts.js';

// The type and the class belong to the application.
const FIXED = ['jobType', 'jobClass'];
const MASK = '******';
// Of what is typed, the next firings are shown after so long without a key.
const TYPING = 500;

let saved = null; // what was saved last: the answer, and the versions that it replaces
let edit = null; // what is being edited: of which job, from which version, and the texts of the fields

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
  return {now: fieldsOf(now), then: fieldsOf({...now, ...values}), unknown: [...unknown]};
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
  clearTimeout(edit?.pausing);
  edit = null;
}

export function isEditing() {
  return edit !== null;
}

function begin(route, data) {
  const faults = data.unreadable?.faults ?? [];
  // What can't be used comes first, and has no value.
  const none = Object.fromEntries(faults.map(({field}) => [field, null]));
  const before = {...none, ...fieldsOf(data.settings), ...none};
  edit = {registry: route.registry, job: route.job, version: data.version, before, typed: {}, problem: null, restored: null, ahead: null, faults, paste: null, filled: null};
}

// Fills the form with what was before a change.
function restore(route, data, changed, place) {
  begin(route, data);
  const {now, then, unknown} = earlier(data.settings, changed.slice(0, place + 1).flatMap((one) => one.settings));
  edit.before = now;
  for (const name of Object.keys(now)) if (text(then[name]) !== text(now[name])) edit.typed[name] = written(name, then[name]);
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
  if (data.unreadable && !editing) return unreadable(route, data, act);
  return editing ? form(data, act) : html`${table(route, data, act)}${commands ? history(route, data, act, commands.commands) : nothing}`;
}

// Settings that can't be used: where, why, what can still be read, and the way to repair them.
function unreadable(route, data, act) {
  const {node, reason, faults} = data.unreadable;
  const values = flat(data.settings);
  const names = telling(values);
  return html`<section class="unreadable" aria-labelledby="unreadable"><div class="head"><h2 id="unreadable">${t('unreadable')}</h2>
      ${act ? html`<span class="actions"><button type="button" class="button" @click=${() => act({kind: 'remove'})}>${t('command.remove.do')}</button>
        <button type="button" class="button primary" data-key="settings" @click=${() => { begin(route, data); act(null); }}>${t('unreadable.repair')}</button></span>` : nothing}</div>
    <p>${t('unreadable.why')}</p>
    <dl class="facts"><div><dt>${t('unreadable.node')}</dt><dd><code class="name">${node}</code> <a href=${href({registry: route.registry, job: route.job, tab: 'tree'})}>${t('unreadable.text')}</a></dd></div>
      <div><dt>${t('unreadable.found')}</dt><dd lang="en">${reason}</dd></div></dl>
    ${act ? nothing : html`<p class="quiet">${t('unreadable.who')}</p>`}
    ${faults.length ? html`<h2 class="section">${t('unreadable.faults')}</h2><div class="card"><table class="settings faults"><thead><tr><th scope="col">${t('setting')}</th>
        <th scope="col">${t('unreadable.is')}</th><th scope="col">${t('unreadable.expected')}</th></tr></thead>
      <tbody>${faults.map((one) => html`<tr><th scope="row">${heading(one.field)}</th><td><code>${one.found || '–'}</code></td><td lang="en">${one.expected}</td></tr>`)}</tbody></table></div>` : nothing}
    ${names.length ? html`<h2 class="section">${t('unreadable.rest')}</h2>${valuesOf(names, values)}` : nothing}
  </section>`;
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
  const value = (one) => one === null ? html`<span class="quiet">${t('settings.notKept')}</span>` : shown(setting, one);
  return html`<p class="name"><strong>${named(setting)}</strong>: ${value(before)} → ${value(after)}</p>`;
}

// ------------------------------------------------------------------ names and values in words

function named(name) {
  return has('set.' + name) ? t('set.' + name) : name;
}

// The name that the code and the properties have stands below: people look for both.
function heading(name) {
  return html`<span>${named(name)}</span><code class="quiet small">${name}</code>`;
}

// A value as people say it.
function shown(name, value) {
  const word = special(name, value);
  if (word) return html`<span class="quiet">${t('special.' + word)}</span>`;
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t('settings.' + value);
  if (isDuration(name)) return html`<span title=${value}>${period(value)}</span>`;
  if (name === 'cron') return html`<code>${value}</code> <span class="quiet">${inWords(value)}</span>`;
  if (typeof value === 'object') return Object.keys(value).length ? html`<code class="lines">${written(name, value)}</code>` : html`<span class="quiet">${t('special.none')}</span>`;
  return breakable(String(value));
}

// The groups of some settings, as parts of one table.
function groups(names, columns, row) {
  return grouped(names).map(([group, some]) => html`<tbody><tr class="group"><th scope="rowgroup" colspan=${columns}>${t('group.' + group)}</th></tr>${some.map(row)}</tbody>`);
}

// The names of what says something: it has a value, and applies beside the others.
function telling(values) {
  return Object.keys(values).filter((name) => values[name] !== '' && values[name] !== null && applies(name, (other) => values[other]));
}

function valuesOf(names, values) {
  return html`<div class="card"><table class="settings"><thead class="hidden"><tr><th scope="col">${t('setting')}</th><th scope="col">${t('value')}</th></tr></thead>
      ${groups(names, 2, (name) => html`<tr><th scope="row">${heading(name)}</th><td>${shown(name, values[name])}</td></tr>`)}</table></div>`;
}

function restored({at, unknown}) {
  const same = Object.keys(edit.typed).length === 0;
  return html`<div class="banner warn" role="status"><strong>${t('settings.restored', {when: moment(at)})}</strong>
    ${same ? t('settings.same') : nothing} ${unknown.length ? t('settings.stay', {names: unknown.join(', ')}) : nothing}</div>`;
}

// ------------------------------------------------------------------ what a text declares

function pasted(paste, act) {
  const mine = edit;
  const read = () => act({
    kind: 'readYaml', yaml: paste.yaml,
    told: (declared, problem) => {
      if (edit !== mine) return;
      paste.problem = problem;
      edit.filled = null;
      if (problem) showProblem();
      else {
        fill(declared, paste.rest);
        const ofSchedule = SCHEDULE.find((name) => isTyped(edit.before, edit.typed, name));
        if (ofSchedule) lookAhead(act, ofSchedule);
      }
      act(null);
    },
  });
  const {invalid, describedBy} = marks('paste-yaml', paste.problem?.violations);
  return html`<section class="card paste" aria-labelledby="paste"><h2 id="paste">${t('paste')}</h2>
    ${paste.problem && !paste.problem.violations?.length ? refusal(paste.problem) : nothing}
    <label for="paste-yaml">${t('paste.label')}</label>
    <textarea id="paste-yaml" rows="10" .value=${paste.yaml} autocomplete="off" spellcheck="false" aria-invalid=${invalid} aria-describedby=${describedBy}
      @input=${(event) => { paste.yaml = event.target.value; }}></textarea>${lines('paste-yaml', paste.problem?.violations)}
    <p><label class="check"><input type="checkbox" .checked=${paste.rest} @change=${(event) => { paste.rest = event.target.checked; }}> ${t('paste.rest')}</label></p>
    <div class="buttons"><button type="button" class="button" @click=${read}>${t('paste.fill')}</button></div></section>`;
}

// What is wrong stands in its line of the text.
function lines(id, wrong) {
  return list(id, wrong?.map(({field, expected}) => ({expected: field.replace(/^yaml(, )?/, '') + (field.includes(',') ? ': ' : '') + expected})));
}

// Puts what a text declares into the fields, and if nothing else shall stay, the defaults into the others.
export function filledIn(before, {settings: declared, standard, ignored}, rest) {
  const all = {...before};
  const typed = {};
  const stay = [...ignored];
  const given = flat(declared);
  for (const [name, value] of Object.entries(given)) {
    if (FIXED.includes(name)) {
      if (text(value) !== text(all[name])) stay.push(name);
      continue;
    }
    all[name] ??= standard[name] ?? '';
    typed[name] = written(name, isMap(all[name]) ? {...masksOf(all[name]), ...value} : value);
  }
  if (rest) {
    for (const [name, value] of Object.entries(standard)) {
      if (!(name in all) || name in given) continue;
      if (text(all[name]).includes(MASK)) stay.push(name);
      typed[name] = written(name, isMap(all[name]) ? masksOf(all[name]) : text(all[name]) === MASK ? MASK : value);
    }
  }
  return {before: all, typed: Object.fromEntries(Object.entries(typed).filter(([name]) => isTyped(all, typed, name))), stay};
}

const masksOf = (map) => Object.fromEntries(Object.entries(map).filter(([, value]) => value === MASK));

function fill(declared, rest) {
  const {before, typed, stay} = filledIn(edit.before, declared, rest);
  const differ = Object.keys(typed).length;
  Object.assign(edit, {before, typed, problem: null, restored: null, filled: {of: declared.job, differ, stay}});
}

function filled({of, differ, stay}) {
  return html`<div class=${differ ? 'banner' : 'banner warn'} role="status"><strong>${differ ? count('paste.differ', differ) : t('paste.none')}</strong>
    ${of && of !== edit.job ? t('paste.of', {job: of}) : nothing} ${stay.length ? t('paste.stay', {names: stay.join(', ')}) : nothing}</div>`;
}

function table(route, data, act) {
  const values = flat(data.settings);
  const names = telling(values);
  return html`<div class="head"><p class="quiet">${t('settings.version', {version: data.version})}
      <a href=${href({view: 'operations', registry: route.registry, of: route.job})}>${t('settings.changes')}</a>
      <a class="yaml" href=${`api/v1/registries/${segment(route.registry)}/jobs/${segment(route.job)}/definition.yaml`} target="_blank" rel="noopener">${t('settings.yaml')}</a></p>
      ${act ? html`<span class="actions">
        <button type="button" class="button" @click=${() => act({kind: 'remove'})}>${t('command.remove.do')}</button>
        <button type="button" class="button" @click=${() => { begin(route, data); edit.paste = {yaml: '', rest: false, problem: null}; act(null); document.getElementById('paste-yaml').focus(); }}>${t('paste')}</button>
        <button type="button" class="button primary" data-key="settings" @click=${() => { begin(route, data); act(null); }}>${t('settings.edit')}</button></span>` : nothing}</div>
    ${valuesOf(names, values)}
    ${names.some((name) => text(values[name]).includes(MASK)) ? html`<p class="quiet small">${t('settings.masked', {mask: MASK})}</p>` : nothing}`;
}

function form(data, act) {
  const changes = patch(edit.before, edit.typed);
  const changed = Object.keys(changes).length > 0 || Boolean(data.unreadable);
  const outdated = edit.problem?.code === 'CHANGED' || (data.version !== edit.version && !edit.problem);
  const review = (event) => {
    event.preventDefault();
    if (!changed) return;
    edit.problem = null;
    const mine = edit;
    act({
      kind: edit.faults.length || data.unreadable ? 'repair' : 'redefine', settings: changes, version: edit.version,
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
  // A field that is wrong stays, whatever else was typed.
  const of = (name) => name in edit.typed ? valueOf(edit.before[name], edit.typed[name]) : edit.before[name];
  const all = Object.keys(edit.before);
  const {at, rest} = placed(edit.problem ?? (edit.faults.length ? {violations: edit.faults} : null), all);
  const names = all.filter((name) => applies(name, of) || at.has(name) || isTyped(edit.before, edit.typed, name));
  return html`<form class="edit" data-key="settings" @submit=${review} novalidate>
    ${edit.paste ? pasted(edit.paste, act) : nothing}${edit.filled ? filled(edit.filled) : nothing}
    ${edit.restored ? restored(edit.restored) : nothing}
    ${edit.problem && !outdated ? refusal(edit.problem, rest) : nothing}
    ${outdated ? conflict(edit.problem?.theirs ?? data, act) : nothing}
    <div class="card"><table class="settings"><thead class="hidden"><tr><th scope="col">${t('setting')}</th><th scope="col">${t('value')}</th></tr></thead>
      ${groups(names, 2, (name) => html`${row(name, edit.before[name], at.get(name), act)}${edit.ahead?.of === name ? html`<tr><td colspan="2">${ahead()}</td></tr>` : nothing}`)}</table></div>
    <div class="buttons">
      <button type="button" class="button" @click=${leave}>${t('cancel')}</button>
      <button type="submit" class="button primary" ?disabled=${!changed}>${t('settings.review')}</button></div></form>`;
}

function row(name, value, wrong, act) {
  const id = 'field-' + name;
  const typed = edit.typed[name] ?? written(name, value);
  const type = (event) => {
    edit.typed[name] = event.target.value;
    if (SCHEDULE.includes(name)) lookAhead(act, name);
    act(null);
  };
  const words = name === 'cron' ? inWords(typed) : '';
  const help = has('help.' + name) ? t('help.' + name) : '';
  const {invalid, describedBy} = marks(id, wrong);
  const described = [describedBy !== nothing && describedBy, (words || help) && id + '-help'].filter(Boolean).join(' ') || nothing;
  return html`<tr class=${isTyped(edit.before, edit.typed, name) ? 'changed' : ''}><th scope="row"><label for=${id}>${heading(name)}</label></th>
    <td>${FIXED.includes(name) && !edit.faults.some((one) => one.field === name) ? breakable(text(value)) : control(id, name, value, typed, type, {invalid, described})}
      ${words || help ? html`<span class="help" id=${id + '-help'}>${words ? html`<strong>${words}</strong> ` : nothing}<span class="quiet">${help}</span></span>` : nothing}${list(id, wrong)}</td></tr>`;
}

function control(id, name, value, typed, type, {invalid, described}) {
  const listed = typeof value === 'boolean' ? ['true', 'false'] : choices(name);
  // What is none of them stays to be seen.
  if (listed.includes(typed)) {
    const word = (one) => (typeof value === 'boolean' ? t('settings.' + one) : one);
    return html`<select id=${id} name=${name} aria-invalid=${invalid} aria-describedby=${described} @change=${type}>
      ${listed.map((one) => html`<option value=${one} ?selected=${one === typed}>${word(one)}</option>`)}</select>`;
  }
  if (isMap(value)) {
    return html`<textarea id=${id} name=${name} rows=${Math.min(8, Math.max(2, typed.split('\n').length + 1))} .value=${typed} autocomplete="off" spellcheck="false"
      aria-invalid=${invalid} aria-describedby=${described} @input=${type}></textarea>`;
  }
  return html`<input id=${id} name=${name} .value=${typed} autocomplete="off" spellcheck="false" aria-invalid=${invalid} aria-describedby=${described} @input=${type}>`;
}

// After a pause in typing, when the job would fire next. What is wrong is said at its field when the change is reviewed.
function lookAhead(act, name) {
  const mine = edit;
  clearTimeout(mine.pausing);
  mine.ahead = null;
  mine.pausing = setTimeout(() => {
    const settings = patch(mine.before, mine.typed);
    const told = (preview, problem) => {
      if (mine.asking !== told) return;
      mine.ahead = {of: name, firings: preview && soonest(preview), wrong: placed(problem, GROUPS.schedule).at};
      act(null);
    };
    mine.asking = told;
    act({kind: 'redefine', settings, version: mine.version, told});
  }, TYPING);
}

// The next five firings, and what is left out until then.
function soonest({firingsAfter, leftOut: left}) {
  const times = firingsAfter.slice(0, 5);
  return withLeftOut({times, leftOut: left.filter(({time}) => time < (times.at(-1) ?? '~'))});
}

// The times by the reader's clock, and beside them by the job's, by which its cron expression counts.
function ahead() {
  if (!edit.ahead) return nothing;
  const zone = edit.typed.timeZone ?? edit.before.timeZone;
  const other = isZone(zone) && zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  const {firings, wrong} = edit.ahead;
  if (!firings) return wrong.size ? html`<div role="status" lang="en"><ul class="wrong">${[...wrong].flatMap(([name, all]) => all.map((one) => html`<li>${named(name)}: ${one.expected}</li>`))}</ul></div>` : nothing;
  return html`<section class="ahead" role="status"><h2 class="section">${t('settings.firings')}</h2>${firings.length
    ? html`<ol>${firings.map(({time, last, ...calendar}) => html`<li class=${calendar.n ? 'quiet' : nothing}><span title=${full(time)}>${span(time, last)}</span>${leftOut(calendar)} <span class="quiet">${relative(time)}${
      other ? ` – ${zone}: ${span(time, last, zone)}` : ''}</span></li>`)}</ol>`
    : html`<p class="quiet">${t(isDelayed((name) => edit.typed[name] ?? edit.before[name]) ? 'settings.afterEnd' : 'settings.noFirings')}</p>`}</section>`;
}

// Others have changed the settings: theirs beside mine.
function conflict(theirs, act) {
  const now = fieldsOf(theirs.settings);
  const names = [...new Set([...Object.keys(edit.before), ...Object.keys(now)])].filter(
    (name) => text(now[name]) !== text(edit.before[name]) || isTyped(edit.before, edit.typed, name));
  const keep = () => {
    const mine = Object.fromEntries(Object.entries(edit.typed).filter(([name]) => isTyped(edit.before, edit.typed, name)));
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
    <tbody>${names.map((name) => html`<tr><th scope="row">${named(name)}</th><td>${shown(name, edit.before[name])}</td>
      <td>${shown(name, now[name])}</td><td>${edit.typed[name] ?? written(name, edit.before[name])}</td></tr>`)}</tbody></table>
    <p class="actions"><button type="button" class="button" @click=${take}>${t('conflict.take')}</button>
      <button type="button" class="button" @click=${keep}>${t('conflict.keep')}</button></p></section>`;
}

// What a change would do: in the dialog, before it is sent.
export function difference({changes, firingsBefore, firingsAfter, leftOut: left}) {
  if (!changes) return nothing;
  const same = JSON.stringify(firingsBefore) === JSON.stringify(firingsAfter);
  const after = withLeftOut({times: firingsAfter, leftOut: left});
  const rows = Array.from({length: Math.max(firingsBefore.length, after.length)}, (none, place) => place);
  return html`<table class="conflict"><thead><tr><th scope="col">${t('setting')}</th><th scope="col">${t('conflict.before')}</th><th scope="col">${t('settings.after')}</th></tr></thead>
      <tbody>${changes.map((one) => html`<tr><th scope="row">${named(one.setting)}</th><td>${shown(one.setting, one.before)}</td><td>${shown(one.setting, one.after)}</td></tr>`)}</tbody></table>
    ${same ? nothing : html`<table class="conflict"><caption>${t('tab.next')} <span class="quiet">${t('settings.clock', {here: Intl.DateTimeFormat().resolvedOptions().timeZone})}</span></caption>
      <thead><tr><th scope="col">${t('conflict.before')}</th><th scope="col">${t('settings.after')}</th></tr></thead>
      <tbody>${rows.map((place) => html`<tr><td>${firing({time: firingsBefore[place]}, firingsAfter)}</td><td>${firing(after[place] ?? {}, firingsBefore)}</td></tr>`)}</tbody></table>`}`;
}

function firing({time, last, ...calendar}, others) {
  if (!time) return '–';
  if (calendar.n) return html`<span class="quiet">${span(time, last)}${leftOut(calendar)}</span>`;
  return others.includes(time) ? momentOfWeek(time) : html`<strong>${momentOfWeek(time)}</strong>`;
}
