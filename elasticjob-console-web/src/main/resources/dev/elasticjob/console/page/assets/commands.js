// Commands: a dialog names the job and the registry, and says what follows, before anything is sent.
import {html, nothing} from './lit-html.js';
import {send} from './api.js';
import {list, marks, placed, refusal, refused, showProblem} from './forms.js';
import {text} from './fields.js';
import {moment} from './format.js';
import {difference, keepSaved} from './settings.js';
import {href, segment} from './route.js';
import {count, t} from './texts.js';

const disabledItem = (command) => `/items/${command.item}/disabled`;
const disabledServer = (command) => `/servers/${segment(command.server)}/disabled`;
const drained = (command) => `/instances/${segment(command.instance)}/drained`;
const paused = () => '/paused';
const suspended = (command) => `/apps/${segment(command.app)}/suspended`;

// The method, the address below the job or the registry, and what the body has beside the reason.
const KINDS = {
  run: ['POST', () => '/runs', (command, fields) => ({runId: command.runId, parameter: fields.parameter || undefined, items: command.items})],
  runAgain: ['POST', () => '/runs', (command) => ({runId: command.runId, again: command.run})],
  cancelItem: ['POST', () => '/cancellations', (command) => ({items: [command.item]})],
  cancelRun: ['POST', () => '/cancellations', (command) => ({runId: command.run})],
  disableItem: ['PUT', disabledItem], enableItem: ['DELETE', disabledItem],
  disableServer: ['PUT', disabledServer], enableServer: ['DELETE', disabledServer],
  drain: ['PUT', drained], undrain: ['DELETE', drained],
  drainAll: ['PUT', drained], undrainAll: ['DELETE', drained],
  // Of an instance that has left, and may come back. One that is still stopping is drained.
  endWait: ['PUT', drained], endWaitAll: ['PUT', drained],
  pause: ['PUT', paused], resume: ['DELETE', paused],
  pauseAll: ['PUT', paused], resumeAll: ['DELETE', paused], confirmDataLoss: ['DELETE', () => '/data-loss'],
  suspendApp: ['PUT', suspended], resumeApp: ['DELETE', suspended], forgetApp: ['DELETE', (command) => `/apps/${segment(command.app)}`],
  reshard: ['POST', () => '/reshard'], disable: ['PUT', () => '/disabled'], enable: ['DELETE', () => '/disabled'],
  backfill: ['POST', () => '/backfill', (command, fields) => ({from: instant(fields.from), until: instant(fields.until), atOnce: Number(fields.atOnce)})],
  stopBackfill: ['DELETE', () => '/backfill'],
  redefine: ['PATCH', () => '/definition', (command) => ({settings: command.settings})],
  readYaml: ['POST', () => '/definition.yaml', (command) => ({yaml: command.yaml})],
  create: ['PUT', () => '', (command, fields) => ({settings: newJob(fields)})],
  repair: ['PUT', () => '/definition', (command) => ({settings: command.settings})],
  remove: ['DELETE', () => ''],
};
const OF_APPS = ['suspendApp', 'resumeApp', 'forgetApp'];
const OF_ALL_JOBS = ['drainAll', 'undrainAll', 'endWaitAll', 'pauseAll', 'resumeAll', 'confirmDataLoss', ...OF_APPS];
const OF_ADMINS = ['redefine', 'create', 'repair', 'remove'];
const UNDONE_BY = {
  disable: 'enable', enable: 'disable',
  disableItem: 'enableItem', enableItem: 'disableItem', disableServer: 'enableServer', enableServer: 'disableServer',
  drain: 'undrain', undrain: 'drain', drainAll: 'undrainAll', pause: 'resume', resume: 'pause', pauseAll: 'resumeAll', resumeAll: 'pauseAll', suspendApp: 'resumeApp', resumeApp: 'suspendApp',
};

// They answer what would follow when their fields are filled in.
const WITH_FIELDS = ['backfill', 'create'];
// What a new job runs, by its type: the setting that has it.
const WORK = {HTTP: 'http.uri', SIMPLE: 'jobClass', SCRIPT: 'scriptCommandLine'};

// The fields of a dialog beside the reason, and what the answer calls them.
const FIELDS = {
  run: () => ({parameter: 'parameter'}),
  backfill: () => ({from: 'from', until: 'until', atOnce: 'atOnce'}),
  create: ({type}) => ({name: 'jobName', work: WORK[type ?? 'HTTP'], cron: 'cron', shardingTotalCount: 'shardingTotalCount'}),
};
const RUNS = ['run', 'runAgain'];

let asked = null; // the command in the dialog
let notice = null; // what was done, and what would undo it

// A run has its id from here, so that a second click is the same run.
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function ask(command, session, draw) {
  if (command.told) return lookAhead(command, session);
  notice = null;
  const now = {...command, runId: newId(), busy: false, problem: null, preview: null};
  asked = now;
  draw();
  if (!WITH_FIELDS.includes(command.kind)) await preview(now, {}, session, draw);
}

async function preview(command, fields, session, draw) {
  const asking = (command.asking = {});
  command.problem = null;
  try {
    const answer = await send(requestOf(command, fields, '?dryRun=true'), session.csrf);
    if (command.asking === asking) command.preview = answer;
  } catch (problem) {
    if (command.asking === asking) fail(command, problem);
  }
  draw();
}

// What a change would do, while it is being typed: no dialog opens.
async function lookAhead(command, session) {
  try {
    command.told(await send(requestOf(command, {}, '?dryRun=true'), session.csrf), null);
  } catch (problem) {
    command.told(null, problem);
  }
}

// What was typed, in the browser's time zone.
function instant(typed) {
  const time = new Date(typed ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function newJob({jobType, work, cron, shardingTotalCount}) {
  const [setting, member] = WORK[jobType].split('.');
  const settings = {jobType, cron: cron || undefined, shardingTotalCount: shardingTotalCount ? Number(shardingTotalCount) : undefined};
  settings[setting] = member ? {[member]: work} : work;
  return settings;
}

// What is wrong with values is said where they were typed.
function fail(command, problem) {
  const values = command.failed && (problem.code === 'INVALID' || problem.code === 'CHANGED');
  if (values) {
    command.failed(problem);
    if (asked === command) asked = null;
  } else {
    command.problem = problem;
    if (asked !== command) notice = {command, problem};
  }
}

export function forget() {
  notice = null;
}

// Whether the user may do something with a job; without one, with all of them.
export function may(session, registry, level, job) {
  return maySome(session, registry, level, ({jobs}) => Boolean(job) && jobs.some((pattern) => matches(pattern, job)));
}

// Whether there may be jobs with which the user may do it.
export function maySome(session, registry, level, some = () => true) {
  return registry?.mode === 'OPERATED' && Boolean(session?.levels.includes(level) || session?.rights.some((one) => one.levels.includes(level) && some(one)));
}

export function permits(session, registry, {kind, job}) {
  const level = OF_ADMINS.includes(kind) ? 'ADMIN' : 'OPERATOR';
  return kind === 'create' ? maySome(session, registry, level) : may(session, registry, level, OF_ALL_JOBS.includes(kind) ? '' : job);
}

// A star stands for any characters, a question mark for one.
function matches(pattern, name) {
  const parts = [...pattern].map((one) => (one === '*' ? '.*' : one === '?' ? '.' : one.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 'su').test(name);
}

function requestOf(command, fields, query = '') {
  const [method, path, body] = KINDS[command.kind];
  const job = OF_ALL_JOBS.includes(command.kind) ? '' : '/jobs/' + segment(command.job);
  return [method, `registries/${segment(command.registry)}${job}${path(command)}${query}`, {...body?.(command, fields), reason: fields.reason || undefined}, command.version];
}

async function carryOut(command, fields, session, draw) {
  if (command.busy) return;
  command.busy = true;
  command.problem = null;
  draw();
  try {
    const answer = await send(requestOf(command, fields), session.csrf);
    if (asked === command) asked = null;
    notice = {command, says: outcome(answer), back: undoneBy(command, answer)};
    if (['redefine', 'repair'].includes(command.kind)) keepSaved(command, answer);
    command.done?.();
  } catch (problem) {
    fail(command, problem);
    if (asked === command) showProblem();
  }
  command.busy = false;
  draw();
}

function undoneBy(command, answer) {
  const {kind, preview} = command;
  if (kind === 'endWait' && preview?.effects.some((one) => one.code === 'UNTIL_RESTART')) return {...command, kind: 'undrain'};
  if (kind !== 'redefine') return UNDONE_BY[kind] && {...command, kind: UNDONE_BY[kind]};
  // What is masked can't be given back.
  const known = preview?.changes.every((one) => !text(one.before).includes('***'));
  const changes = preview?.changes.map((one) => ({...one, before: one.after, after: one.before}));
  return known && {...command, version: answer.version, settings: nested(preview.changes), preview: {...preview, changes}, done: undefined, failed: undefined};
}

function nested(changes) {
  const settings = {};
  for (const {setting, before} of changes) {
    const path = setting.split('.');
    const last = path.pop();
    let group = settings;
    for (const part of path) group = group[part] ??= {};
    group[last] = before;
  }
  return settings;
}

// What the answer says beside that it was done.
function outcome(answer) {
  if (answer.runId && answer.items && !Array.isArray(answer.items)) return ofCancellation(Object.values(answer.items));
  const all = Object.values(answer).every((one) => one && typeof one === 'object' && 'inForce' in one) ? Object.values(answer) : [answer];
  const says = answer.ended === false ? [t('outcome.continues')] : [];
  if (all.length && all.every((one) => one.changed === false)) says.push(t('outcome.already'));
  if (all.some((one) => one.inForce === false || one.notYet?.length)) says.push(t('outcome.notYet'));
  if (answer.paused?.scope === 'NAMESPACE') says.push(t('outcome.namespacePaused'));
  return says;
}

function ofCancellation(results) {
  return [...new Set(results)].map((result) => count('result.' + result, results.filter((one) => one === result).length));
}

function words(command, key) {
  const item = command.item ?? command.items?.[0] ?? '';
  return t(`command.${command.kind}${key}`, {job: command.job, firing: command.firing ? moment(command.firing) : '', item, server: command.server ?? '', instance: command.instance ?? '', run: command.run ?? '', app: command.app ?? ''});
}

function heading(command) {
  return words(command, (command.kind === 'run' && command.items ? '.item' : '') + ofFiring(command));
}

// A firing has a time by which people know it; a manual run has its id only.
function ofFiring({kind, firing}) {
  return firing && ['cancelRun', 'runAgain'].includes(kind) ? '.firing' : '';
}

// ------------------------------------------------------------------ on the page

function effects(command) {
  if (!command.preview) return command.problem || WITH_FIELDS.includes(command.kind) ? nothing : html`<p class="quiet" role="status">${t('loading')}</p>`;
  const {outcome: expected, effects: all} = command.preview;
  return html`${expected === 'REFUSED' ? html`<p class="banner warn">${t('preview.REFUSED')}</p>` : nothing}
    ${difference(command.preview)}
    <ul>${all.map((one) => html`<li>${count('effect.' + one.code, one.count)}</li>`)}</ul>`;
}

export function dialog(session, place, draw) {
  if (!asked) return nothing;
  const command = asked;
  const close = () => {
    if (asked === command) asked = null;
    draw();
  };
  const typed = (event) => Object.fromEntries([...event.target.closest('dialog').querySelectorAll('input, select')].map((field) => [field.name, field.value.trim()]));
  const confirm = (event) => {
    event.preventDefault();
    carryOut(command, typed(event), session, draw);
  };
  const ranging = (event) => {
    const fields = typed(event);
    command.preview = null;
    if (fields.from && fields.until) preview(command, fields, session, draw);
    draw();
  };
  const creating = (event) => {
    const fields = typed(event);
    Object.assign(command, {job: fields.name, type: fields.jobType, preview: null, problem: null});
    if (fields.name && fields.work) preview(command, fields, session, draw);
    draw();
  };
  const typing = (event) => {
    command.name = event.target.value;
    draw();
  };
  const names = FIELDS[command.kind]?.(command) ?? {};
  const {at, rest} = placed(command.problem, [...Object.values(names), 'reason']);
  const input = (name, label, attributes = {}, changed = undefined) => field({name, label, wrong: at.get(names[name] ?? name), ...attributes}, changed);
  const unnamed = (command.kind === 'remove' && command.name !== command.job) || (WITH_FIELDS.includes(command.kind) && command.preview?.outcome !== 'CHANGES');
  const keys = (event) => event.key === 'Enter' && event.target.tagName === 'INPUT' && !unnamed && confirm(event);
  return html`<dialog aria-labelledby="asked" @close=${close} @keydown=${keys}>
    <h2 id="asked">${heading(command)}</h2>
    <p class="quiet">${command.kind === 'create' ? t('create.in', {place}) : OF_APPS.includes(command.kind) ? t('command.inSome', {place}) : OF_ALL_JOBS.includes(command.kind) ? t('command.inAll', {place}) : t('command.in', {job: command.job, place})}</p>
    ${command.kind === 'backfill' ? range(input, ranging) : nothing}
    ${command.kind === 'create' ? work(command, input, creating) : nothing}
    ${effects(command)}
    ${command.kind === 'run' ? input('parameter', t('command.parameter'), {most: 512}) : nothing}
    ${command.kind === 'remove' ? input('name', t('command.name', {job: command.job}), {}, {input: typing}) : nothing}
    ${input('reason', t('command.reason'), {most: 1000})}
    ${command.problem ? refusal(command.problem, rest) : nothing}
    <div class="buttons">
      <button type="button" class="button" @click=${close}>${t('cancel')}</button>
      <button type="button" class="button primary" ?disabled=${command.busy || unnamed} @click=${confirm}>${words(command, '.do')}</button>
    </div>
  </dialog>`;
}

// The times in this range run once more.
function range(input, changed) {
  const time = (name) => input(name, t('backfill.' + name), {type: 'datetime-local', step: '1'}, {change: changed});
  return html`<p class="quiet">${t('backfill.why', {zone: Intl.DateTimeFormat().resolvedOptions().timeZone})}</p>
    ${time('from')}${time('until')}${input('atOnce', t('backfill.atOnce'), {type: 'number', min: '1', max: '16', value: '1'}, {change: changed})}`;
}

// What a new job runs, and when. Further settings are on its page.
function work(command, input, changed) {
  const type = command.type ?? 'HTTP';
  const on = {change: changed};
  return html`${input('name', t('create.name'), {}, on)}
    <label><span>${t('type')}</span><select name="jobType" @change=${changed}>${Object.keys(WORK).map((one) => html`<option value=${one} ?selected=${one === type}>${one}</option>`)}</select></label>
    ${input('work', t('create.' + type), {}, on)}${input('cron', t('create.cron'), {}, on)}${input('shardingTotalCount', t('items'), {type: 'number'}, on)}`;
}

// A field of a dialog, with what is wrong with its value.
function field({name, label, wrong, type = 'text', most, min, max, step, value}, {input, change} = {}) {
  const id = 'asked-' + name;
  const {invalid, describedBy} = marks(id, wrong);
  return html`<label for=${id}><span>${label}</span></label>
    <input id=${id} type=${type} name=${name} maxlength=${most ?? nothing} min=${min ?? nothing} max=${max ?? nothing} step=${step ?? nothing} value=${value ?? nothing}
      autocomplete="off" spellcheck="false" aria-invalid=${invalid} aria-describedby=${describedBy} @input=${input} @change=${change}>${list(id, wrong)}`;
}

export function notices(session, draw) {
  if (!notice) return nothing;
  const {command, back, says = [], problem} = notice;
  const undoing = () => {
    notice = null;
    carryOut({...back, runId: newId(), busy: false}, {}, session, draw);
  };
  const away = () => {
    notice = null;
    draw();
  };
  return html`<div class="banner ${problem ? 'bad' : 'done'} notice" role=${problem ? 'alert' : 'status'}>
    <span>${problem ? `${refused(problem)} ${problem.message}` : [words(command, '.done' + ofFiring(command)), ...says].join(' ')}</span>
    ${!problem && RUNS.includes(command.kind) && command.job ? html`<a class="button" href=${href({registry: command.registry, job: command.job, run: command.runId})}>${t('run.watch')}</a>` : nothing}
    ${back && !problem ? html`<button type="button" class="button" @click=${undoing}>${t('undo')}</button>` : nothing}
    <button type="button" class="close" aria-label=${t('close')} @click=${away}>✕</button></div>`;
}

// A command and the one that undoes it are the same control.
function keyOf({kind, ...target}) {
  return JSON.stringify([[kind, UNDONE_BY[kind] ?? kind].sort()[0], target]);
}

// Nothing, if the user may not do it.
export function button(act, command, look = 'button') {
  return !act.may(command) ? nothing : html`<button type="button" class=${look} data-key=${keyOf(command)} @click=${() => act(command)}>${t(`command.${command.kind}.do`)}</button>`;
}
