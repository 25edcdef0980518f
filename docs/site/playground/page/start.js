// Runs before anything is drawn. A link asks another question than the page's
// example, so the example's answer must not be seen.
if (/[#&][pd]=/.test(location.hash)) document.documentElement.dataset.asked = "";
