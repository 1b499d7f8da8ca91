// The usual variables of OpenTelemetry: each is honoured, or the start says that it is not.
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { tracesSettings } from './lookouts.ts'

const [BASE, EXACT] = ['http://collector:4318/', 'http://collector:4318/own/path']

test.each([
  [{}, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: BASE }, 'http://collector:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: EXACT }, EXACT],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: EXACT }, EXACT],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_SDK_DISABLED: 'true' }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_SDK_DISABLED: 'false' }, 'http://collector:4318/v1/traces'],
])('%j sends traces to %s', (env, url) => {
  expect(tracesSettings(readConfig(env))?.url ?? null).toBe(url)
})

test.each([
  [{}, { 'service.name': 'forstkontor' }],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=forst,a.b=1%2C2' }, { 'service.name': 'forst', 'a.b': '1,2' }],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=forst', OTEL_SERVICE_NAME: 'amt' }, { 'service.name': 'amt' }],
])('%j gives the resource %j', (env, resource) => {
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: BASE, ...env })
  expect(tracesSettings(config)?.resource).toEqual(resource)
})

test('what is not honoured is known, to be said at the start', () => {
  const env = {
    OTEL_TRACES_EXPORTER: 'console',
    OTEL_PROPAGATORS: 'b3',
    OTEL_SERVICE_NAME: 'amt',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  }
  expect(readConfig(env).unheeded).toEqual(['OTEL_PROPAGATORS', 'OTEL_TRACES_EXPORTER'])
})
