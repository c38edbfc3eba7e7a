// Shows the chosen photos, makes them smaller before they are sent one by one, and shows how far each is.
'use strict'
const form = document.querySelector('form')
const LONGEST = 2048

// A smaller JPEG without the place where it was taken; the file itself where the browser cannot read it.
async function shrunk(file) {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return await new Promise(done => canvas.toBlob(blob => done(blob ?? file), 'image/jpeg', 0.85))
  } catch {
    return file
  }
}

function send(photo, name, progress) {
  return new Promise(done => {
    const body = new FormData()
    body.append('photos', photo, name)
    const request = new XMLHttpRequest()
    request.open('POST', location.pathname + '?name=' + encodeURIComponent(name))
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = event => {
      if (event.lengthComputable) progress(Math.floor(event.loaded / event.total * 100))
    }
    request.onloadend = () => {
      try { done(JSON.parse(request.responseText).message) } catch { done(form.dataset.failed) }
    }
    request.send(body)
  })
}

if (form) {
  const input = form.querySelector('input')
  const list = document.getElementById('chosen')
  const button = form.querySelector('button')
  let rows = []
  input.addEventListener('change', () => {
    rows = [...input.files].map(file => {
      const [row, picture, state] = ['li', 'img', 'b'].map(name => document.createElement(name))
      picture.alt = ''
      picture.src = URL.createObjectURL(file)
      picture.onload = () => URL.revokeObjectURL(picture.src)
      row.append(picture, ' ' + file.name + ' ', state)
      return { file, row, state }
    })
    list.replaceChildren(...rows.map(each => each.row))
  })
  form.addEventListener('submit', async event => {
    event.preventDefault()
    button.disabled = input.disabled = true
    for (const { file, state } of rows) {
      state.textContent = form.dataset.sending
      const photo = await shrunk(file)
      const name = photo === file ? file.name : file.name.replace(/\.[^.]*$/, '') + '.jpg'
      state.textContent = await send(photo, name, percent => {
        state.textContent = percent < 100 ? percent + ' %' : form.dataset.sending
      })
    }
    button.disabled = input.disabled = false
    input.value = ''
    rows = []
  })
}
