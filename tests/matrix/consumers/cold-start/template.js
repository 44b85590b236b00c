// Far from all that the others do: the text alone, without duplicates folded, digests or diagnostics.
const TEMPLATE = `{{ layers[-1].content.identity }}

{{ layers[-1].content.operatingRules }}

Guardrails:
{% for layer in layers %}{% for rule in layer.content.guardrails %}- {{ rule }}
{% endfor %}{% endfor %}
{{ runtime.surface }}
{{ runtime.skills }}`;

export const render = (environment, input) => environment.renderStr(TEMPLATE, input);
