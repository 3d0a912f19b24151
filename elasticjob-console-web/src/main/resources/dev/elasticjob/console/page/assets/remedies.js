// The command that carries out what a remedy says, beside it. Remedies without one are for people or for time.
import {html, nothing} from './lit-html.js';
import {button} from './commands.js';
import {href} from './route.js';
import {t} from './texts.js';

const COMMANDS = {
  RESUME: () => ({kind: 'resume'}), MEND_AND_RESUME: () => ({kind: 'resume'}), RESUME_ALL: () => ({kind: 'resumeAll'}),
  ENABLE_JOB: () => ({kind: 'enable'}), ENABLE_SERVER: ({server}) => ({kind: 'enableServer', server}),
  WAIT_OR_ENABLE_SERVER: ({server}) => ({kind: 'enableServer', server}), END_DRAIN: ({id}) => ({kind: 'undrain', instance: id}), WAIT_FOR_SUCCESSOR: ({id}) => ({kind: 'endWait', instance: id}),
  ENABLE_ITEM: ({item}) => ({kind: 'enableItem', item: Number(item)}), TRIGGER: () => ({kind: 'run'}), LOOK_AT_PARENTS: () => ({kind: 'run'}),
  TRIGGER_LOST: ({item}) => ({kind: 'run', items: [Number(item)]}), MEND_PARENT: () => ({kind: 'run'}),
  RESHARD: () => ({kind: 'reshard'}), WAIT_FOR_PLAN: () => ({kind: 'reshard'}), WAIT_OR_RESHARD: () => ({kind: 'reshard'}), CORRECT_RECORD: () => ({kind: 'reshard'}),
  WAIT_OR_CANCEL: ({item}) => ({kind: 'cancelItem', item: Number(item)}), MEND_AND_RUN_AGAIN: ({run, firing}) => ({kind: 'runAgain', run, firing}),
  CONFIRM_DATA_LOSS: () => ({kind: 'confirmDataLoss'}), CONTINUE_OR_STOP_BACKFILL: () => ({kind: 'stopBackfill'}),
};

export function remedyButton(act, {code, values}, job) {
  const command = COMMANDS[code]?.(values);
  // A control of its own: the same command may stand elsewhere on the page, and the focus comes back to the one that was used.
  return act && command ? button(act, {...command, ...(job ? {job} : {}), beside: code}) : nothing;
}

// Settings are repaired on a page of their own.
export function toSettings({registry}, {code}, job) {
  return code === 'CORRECT_DEFINITION' ? html`<a class="button" href=${href({registry, job, tab: 'settings'})}>${t('settings.see')}</a>` : nothing;
}
