// Where a log system has the lines that an execution has logged, if the console was told.
import {html, nothing} from './lit-html.js';
import {t} from './texts.js';

let templates = new Map();

export function know(registries) {
  templates = new Map(registries.map((one) => [one.name, one.logLink]));
}

// The lines of what still runs are looked for until now; by the minute, so that the address stays the same for a while.
export function logLink(registry, {job, item, runId, instance, startedAt, endedAt}) {
  const template = templates.get(registry);
  if (!template || !startedAt) return nothing;
  const to = endedAt ?? new Date(Math.ceil(Date.now() / 60_000) * 60_000).toISOString();
  const values = {job, item, runId, instance, from: startedAt, to, fromMillis: Date.parse(startedAt), toMillis: Date.parse(to)};
  const address = template.replace(/\{(\w+)\}/g, (all, name) => encoded(String(values[name] ?? '')));
  return html`<p><a class="logs" href=${address} target="_blank" rel="noopener noreferrer">${t('logs')}</a></p>`;
}

// Also what languages of queries use as quotes and brackets.
function encoded(value) {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase());
}
