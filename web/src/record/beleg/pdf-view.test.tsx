import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PdfView } from './PdfView.tsx'

const markup = () => renderToStaticMarkup(<PdfView blob={new Blob(['%PDF-1.7'])} name="RE 1" />)

describe('a document beside its data', () => {
  afterEach(() => vi.unstubAllGlobals())
  test('fills its width, without a column of small pages', () =>
    expect(markup()).toMatch(/<object class="beleg-frame" data="blob:[^"#]+#navpanes=0&amp;view=FitH"/))
  test('can be downloaded where the frame stays empty', () =>
    expect(markup()).toMatch(/<object.*PDF herunterladen.*<\/object>/s))
  test('is offered for download by a browser that shows no PDF', () => {
    vi.stubGlobal('navigator', { pdfViewerEnabled: false })
    expect(markup()).toContain('PDF herunterladen')
    expect(markup()).not.toContain('<object')
  })
})
