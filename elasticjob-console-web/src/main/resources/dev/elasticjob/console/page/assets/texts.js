// The sentences of the page, in the reader's language. The API has codes only.
import en from './en.js';
import sentencesEn from './sentences-en.js';
import sentencesZh from './sentences-zh.js';
import settingsEn from './settings-en.js';
import settingsZh from './settings-zh.js';
import zh from './zh.js';

const LANGUAGES = {en: {...en, ...sentencesEn, ...settingsEn}, zh: {...zh, ...sentencesZh, ...settingsZh}};
// Left out, with what is in the brackets, if the value in it is empty.
const OPTIONAL = /\[([^[\]{}]*)\{(\w+)\}([^[\]{}]*)\]/g;
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
  const whole = text.replace(OPTIONAL, (all, before, name, after) => (values[name] ? `${before}{${name}}${after}` : ''));
  return whole.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

// English has two forms for numbers, Chinese one.
export function count(key, number) {
  const one = number === 1 && has(key + '.one') ? key + '.one' : key;
  return t(one, {n: new Intl.NumberFormat(language).format(number)});
}
