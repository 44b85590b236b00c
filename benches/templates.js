// Template engines at the same text. They only compose: no digests, descriptors, diagnostics, and no duplicates folded.

import { load } from "./contestants.js";
import { WORDING } from "../tests/oracle/oracle.js";

const { Environment } = (await load("minijinja-js")).default;
const { Template } = await load("@huggingface/jinja");

// Tags on lines of their own leave no trace: what is the default of one engine, and set for the other.
const PREFIX = `{{ layers[-1].content.identity }}

{{ runtime.capabilityContract }}

{{ layers[-1].content.operatingRules }}

{{ wording.instructionsHeading }}
{% for layer in layers %}
- {{ layer.content.instructions }}
{% endfor %}

{{ wording.guardrailsHeading }}
{% for layer in layers %}
{% for rule in layer.content.guardrails %}
- {{ rule }}
{% endfor %}
{% endfor %}
{{ runtime.surface }}
{{- wording.surfaceNotesHeading }}
{% for layer in layers %}
{% for note in layer.content.surfaceNotes %}
- {{ note }}
{% endfor %}
{% endfor %}
{{ runtime.skills }}
{{ bindingGlue }}

<facts>
{% for fact in facts %}
{% if fact.volatility == "static" %}
- {{ fact.key }}: {{ fact.value }}
{% endif %}
{% endfor %}
</facts>

{{ wording.factsNote }}

`;

/** The items of each list that no broader layer has, which a template cannot find out in reasonable time. */
function withoutDuplicates(layers, list) {
  const seen = new Set();
  return layers.map(({ content }) => content[list].filter((item) => !seen.has(item) && seen.add(item)));
}

/** What a template is handed: the input, with the work done that it could not do. */
export function contextOf(input) {
  const guardrails = withoutDuplicates(input.layers, "guardrails");
  const surfaceNotes = withoutDuplicates(input.layers, "surfaceNotes");
  const layers = input.layers.map(({ content }, index) => ({
    content: { ...content, guardrails: guardrails[index], surfaceNotes: surfaceNotes[index] },
  }));
  return { ...input, layers, wording: WORDING.neutral };
}

const environment = new Environment();
environment.trimBlocks = true;
environment.lstripBlocks = true;
environment.addTemplate("prefix.txt", PREFIX);
const template = new Template(PREFIX);

/** Each gives the prefix of a context, from a template that was parsed before. */
export const engines = {
  "minijinja-js": (context) => environment.renderTemplate("prefix.txt", context),
  "@huggingface/jinja": (context) => template.render(context),
};
