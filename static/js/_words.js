// Translates the sentences of the scripts. The document brings their translations where it is not in English.
const translated = JSON.parse(document.querySelector('meta[name="words"]')?.content ?? "{}");

// `_("Select the %(count)s shown", { count })`
globalThis._ = (sentence, parameters = {}) =>
  (translated[sentence] ?? sentence).replace(/%\((\w+)\)s/g, (_whole, name) => parameters[name] ?? "");
