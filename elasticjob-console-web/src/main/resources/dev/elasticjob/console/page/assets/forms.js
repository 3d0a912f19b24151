// What a refusal says about the fields of a form; and where the focus is when a dialog, a panel or a field has gone.
import {html, nothing} from './lit-html.js';
import {problemText} from './parts.js';
import {has, t} from './texts.js';

let opener = null; // what had the focus before the dialog
let wanted = false; // whether the first problem gets the focus when it is drawn

// Violations by the field at which they are shown, and those of no field. A field may be a group, or a part of one.
export function placed(problem, names) {
  const at = new Map();
  const rest = [];
  for (const one of problem?.violations ?? []) {
    const name = names.find((name) => name === one.field) ?? names.find((name) => one.field.startsWith(name + '.'))
      ?? names.find((name) => name.startsWith(one.field + '.'));
    if (name) at.set(name, [...(at.get(name) ?? []), one]);
    else rest.push(one);
  }
  return {at, rest};
}

// The attributes of a field, and the list below it.
export function marks(id, wrong) {
  return wrong?.length ? {invalid: 'true', describedBy: id + '-wrong'} : {invalid: nothing, describedBy: nothing};
}

export function list(id, wrong) {
  return wrong?.length ? html`<ul class="wrong" id=${id + '-wrong'} lang="en">${wrong.map((one) => html`<li>${one.expected}</li>`)}</ul>` : nothing;
}

// Why nothing was done, with what concerns no field.
export function refusal(problem, rest = problem.violations ?? []) {
  return html`<div class="banner bad" role="alert" tabindex="-1" data-problem><strong>${refused(problem)}</strong>
    ${rest.length ? html`<ul lang="en">${rest.map((one) => html`<li>${one.field}: ${one.expected}</li>`)}</ul>` : nothing}
    ${problem.violations?.length || !problem.message ? nothing : html`<p lang="en">${problem.message}</p>`}</div>`;
}

export function refused(problem) {
  const key = 'refused.' + problem.code;
  return has(key) ? t(key) : problemText(problem);
}

// ------------------------------------------------------------------ where the focus is

// After the next drawing, the first problem is in view and has the focus.
export function showProblem() {
  wanted = true;
}

const keyed = (element) => element?.closest('[data-key]')?.dataset.key;
const control = (key) => key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);

// The same control, by its key: its place may be taken by another one.
function give({element, key}) {
  const there = element?.isConnected ? element : null;
  const target = there && keyed(there) === key ? there : control(key) ?? there ?? document.querySelector('h1');
  if (target !== document.activeElement) target?.focus({preventScroll: target !== element});
}

// Draws, and looks after the focus: a dialog gives it back to what opened it, and what is drawn anew keeps it.
export function keepingFocus(draw) {
  const before = {element: document.activeElement, key: keyed(document.activeElement)};
  draw();
  const dialog = document.querySelector('dialog');
  if (dialog && !dialog.open) {
    opener ??= before;
    dialog.showModal();
  } else if (!dialog && opener) {
    give(opener);
    opener = null;
  } else if (before.element !== document.body) give(before);
  if (wanted) focusProblem(dialog ?? document);
}

function focusProblem(root) {
  const place = ['[data-conflict]', '[aria-invalid=true]', '[data-problem]'].map((one) => root.querySelector(one)).find(Boolean);
  wanted = false;
  if (!place) return;
  place.focus({preventScroll: true});
  place.scrollIntoView({block: place.matches('[aria-invalid]') ? 'center' : 'start'});
}

// Closes what is open beside a list or a map: the focus goes back to what opened it. Returns whether there was any.
export function closePanel() {
  const close = document.querySelector('.panel .close');
  const from = document.querySelector('.split a[aria-current=true], .split [aria-pressed=true]');
  close?.click();
  from?.focus();
  return Boolean(close);
}
