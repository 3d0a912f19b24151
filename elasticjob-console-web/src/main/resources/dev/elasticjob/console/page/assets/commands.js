// Commands: a dialog names the job and the registry, and says what follows, before anything is sent.
import {html, nothing} from './lit-html.js';
import {send} from './api.js';
import {problemText} from './parts.js';
import {segment} from './route.js';
import {count, t} from './texts.js';

const UNDONE_BY = {disableItem: 'enableItem', disableServer: 'enableServer', enableItem: 'disableItem', enableServer: 'disableServer'};

let asked = null; // the command in the dialog
let notice = null; // what was done, and what would undo it

// A run has its id from here, so that a second click is the same run.
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function ask(command) {
  notice = null;
  asked = {...command, runId: newId(), busy: false, problem: null};
}

export function forget() {
  notice = null;
}

export function mayOperate(session, registry) {
  return Boolean(session?.levels.includes('OPERATOR')) && registry?.mode === 'OPERATED';
}

function requestOf(command, fields) {
  const job = `registries/${segment(command.registry)}/jobs/${segment(command.job)}`;
  const reason = fields.reason || undefined;
  const disabled = command.item === undefined ? `servers/${segment(command.server ?? '')}/disabled` : `items/${command.item}/disabled`;
  switch (command.kind) {
    case 'run':
      return ['POST', `${job}/runs`, {runId: command.runId, parameter: fields.parameter || undefined, items: command.items, reason}];
    case 'reshard':
      return ['POST', `${job}/reshard`, {reason}];
    case 'disableItem': case 'disableServer':
      return ['PUT', `${job}/${disabled}`, {reason}];
    default:
      return ['DELETE', `${job}/${disabled}`, {reason}];
  }
}

async function carryOut(command, fields, session, draw) {
  if (command.busy) return;
  command.busy = true;
  command.problem = null;
  draw();
  try {
    await send(...requestOf(command, fields), session.csrf);
    if (asked === command) asked = null;
    notice = {command, undo: UNDONE_BY[command.kind]};
  } catch (problem) {
    command.problem = problem;
    if (asked !== command) notice = {command, problem};
  }
  command.busy = false;
  draw();
}

// ------------------------------------------------------------------ what follows

function consequences({kind, data, items, server}) {
  if (kind === 'run') return ofRun(data, items);
  if (kind !== 'disableServer') return [t(`command.${kind}.follows`)];
  const enabled = new Set(data.instances.filter((one) => !one.serverDisabled).map((one) => one.server));
  const owned = data.instances.filter((one) => one.server === server).flatMap((one) => one.items);
  enabled.delete(server);
  return enabled.size === 0 ? [t('command.disableServer.last')] : [count('command.disableServer.moves', owned.length), t('command.disableServer.follows')];
}

function ofRun(data, chosen) {
  const items = data.items.filter((item) => !chosen || chosen.includes(item.item));
  const disabled = items.filter((item) => item.disabled);
  const running = items.filter((item) => item.running && !item.disabled);
  const says = [count('command.run.items', items.length - disabled.length)];
  if (disabled.length) says.push(count('command.run.disabled', disabled.length));
  if (running.length) says.push(count('command.run.running', running.length));
  if (!data.instances.length) says.push(t('command.run.nobody'));
  return says;
}

function words(command, key) {
  return t(`command.${command.kind}${key}`, {job: command.job, item: command.item ?? command.items?.[0] ?? '', server: command.server ?? ''});
}

function heading(command) {
  return words(command, command.kind === 'run' && command.items ? '.item' : '');
}

// ------------------------------------------------------------------ on the page

export function dialog(session, place, draw) {
  if (!asked) return nothing;
  const command = asked;
  const close = () => {
    if (asked === command) asked = null;
    draw();
  };
  const confirm = (event) => {
    event.preventDefault();
    const fields = event.target.closest('dialog').querySelectorAll('input');
    carryOut(command, Object.fromEntries([...fields].map((field) => [field.name, field.value.trim()])), session, draw);
  };
  const keys = (event) => event.key === 'Enter' && event.target.tagName === 'INPUT' && confirm(event);
  return html`<dialog aria-labelledby="asked" @close=${close} @keydown=${keys}>
    <h2 id="asked">${heading(command)}</h2>
    <p class="quiet">${t('command.in', {job: command.job, place})}</p>
    <ul>${consequences(command).map((one) => html`<li>${one}</li>`)}</ul>
    ${command.kind === 'run' ? field('parameter', 512) : nothing}
    ${field('reason', 1000)}
    ${command.problem ? html`<div class="banner bad" role="alert"><strong>${problemText(command.problem)}</strong>
      ${command.problem.message ? html`<p lang="en">${command.problem.message}</p>` : nothing}</div>` : nothing}
    <div class="buttons">
      <button type="button" class="button" @click=${close}>${t('cancel')}</button>
      <button type="button" class="button primary" ?disabled=${command.busy} @click=${confirm}>${words(command, '.do')}</button>
    </div>
  </dialog>`;
}

function field(name, most) {
  return html`<label><span>${t('command.' + name)}</span><input name=${name} maxlength=${most} autocomplete="off"></label>`;
}

export function notices(session, draw) {
  if (!notice) return nothing;
  const {command, undo, problem} = notice;
  const undoing = () => {
    const back = {...command, kind: undo, runId: newId(), busy: false};
    notice = null;
    carryOut(back, {}, session, draw);
  };
  const away = () => {
    notice = null;
    draw();
  };
  return html`<div class="banner ${problem ? 'bad' : 'done'} notice" role=${problem ? 'alert' : 'status'}>
    <span>${problem ? `${problemText(problem)} ${problem.message}` : words(command, '.done')}</span>
    ${undo && !problem ? html`<button type="button" class="button" @click=${undoing}>${t('undo')}</button>` : nothing}
    <button type="button" class="close" aria-label=${t('close')} @click=${away}>✕</button></div>`;
}
