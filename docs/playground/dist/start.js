// Runs before anything is drawn: a link asks something else than the example that the
// page brings along, so that the example's answer must not be seen.
if (/[#&][pd]=/.test(location.hash)) document.documentElement.dataset.asked = "";
