// The sentences of the page, in the reader's language. The API has codes only.
import en from './en.js';
import zh from './zh.js';

const LANGUAGES = {en, zh};
const KEPT = 'elasticjob.language';

export let language = chosen();

function chosen() {
  const kept = localStorage.getItem(KEPT);
  if (kept in LANGUAGES) return kept;
  return navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in LANGUAGES) ?? 'en';
}

export function choose(name) {
  language = name;
  localStorage.setItem(KEPT, name);
}

export function has(key) {
  return key in LANGUAGES[language];
}

export function t(key, values = {}) {
  const text = LANGUAGES[language][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

// English has two forms for numbers, Chinese one.
export function count(key, number) {
  const one = number === 1 && has(key + '.one') ? key + '.one' : key;
  return t(one, {n: new Intl.NumberFormat(language).format(number)});
}
