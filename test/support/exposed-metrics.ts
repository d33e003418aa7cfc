/** Metrics as Prometheus text, and the metrics that queries name. */

/** What one metric is: its type, and the labels of its samples. */
export type ExposedMetric = { readonly type: string; readonly labels: ReadonlySet<string> };

/** The metrics of a page, by name; a histogram under its own name. */
export function exposedMetrics(text: string): Map<string, ExposedMetric> {
  const metrics = new Map<string, { type: string; labels: Set<string> }>();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    metrics.set(name, { type, labels: new Set() });
  for (const [, sample = '', labels = ''] of text.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metrics.get(familyOf(sample, metrics))?.labels.add(label);
  return metrics;
}

/** The value of a sample, by its name with labels as the page has it; `undefined` = it has none. */
export function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

/** Labels that Prometheus adds to what it scrapes. */
const ADDED_LABELS = ['job', 'instance'];

/** What a query names that is not there: metrics, and labels of metrics that have samples. */
export function unknownIn(query: string, metrics: ReadonlyMap<string, ExposedMetric>): string[] {
  return [...query.matchAll(/\b((?:pompa|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = '', labels = '']) => {
      const metric = metrics.get(familyOf(name, metrics));
      if (metric === undefined) return [name];
      const named = [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
      const known = [...metric.labels, ...ADDED_LABELS];
      return named
        .filter((label) => metric.labels.size > 0 && !known.includes(label))
        .map((label) => `${name}{${label}}`);
    },
  );
}

function familyOf(sample: string, metrics: ReadonlyMap<string, unknown>): string {
  return metrics.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
}
