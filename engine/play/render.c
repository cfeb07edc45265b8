/* arcengine's pictures in one call: Camera.render, Camera._raw_render and Sprite.render (arcengine 0.9.3).
 *
 * Nothing here decides what a strange thing should look like. Whatever is not as plain as nearly all sprites
 * and cameras are (a subclass, a patched method, a layer that is no int, pixels of another kind, a picture
 * that arcengine would refuse) makes these functions answer None, before any code but theirs has run, and the
 * caller lets Python draw, with Python's exceptions. `engine/play/rendering.py` compares them with Python when it
 * loads them.
 */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include "render_sprite.h"
#include "runs.h"
#include <stdlib.h>

#ifndef SOURCE_DIGEST
#define SOURCE_DIGEST ""
#endif

#define FEW 256              /* sprites drawn without asking for memory */

typedef struct {
    npy_intp layer;
    npy_intp place;          /* in the list: equal layers keep their order, as in Python's sorted() */
    PyObject *sprite;        /* borrowed: the list holds it, and no foreign code runs meanwhile */
} Item;

/* Given by `configure`, kept for good. */
static PyTypeObject *sprite_type;
static PyObject *tangible, *intangible, *invisible, *removed;
static PyObject *sprite_render, *raw_render, *scale_and_offset;
static PyObject *stock_visible, *stock_layer, *stock_x, *stock_y;

static PyObject *n_interaction, *n_layer_, *n_x_, *n_y_, *n_render, *n_visible, *n_layer, *n_x, *n_y;
static PyObject *n_width_, *n_height_, *n_background, *n_letter_box, *n_raw_render, *n_offset, *n_dimension;

static int is_own(PyObject *thing, PyObject *name, PyObject *expected) {
    PyObject *value = PyObject_GetAttr(thing, name);
    if (value == NULL) return no();
    int same = value == expected || (PyMethod_Check(value) && PyMethod_GET_FUNCTION(value) == expected);
    Py_DECREF(value);
    return same;
}

static int class_as_it_was(void) {
    PyObject *type = (PyObject *)sprite_type;
    return is_own(type, n_visible, stock_visible) && is_own(type, n_layer, stock_layer)
        && is_own(type, n_x, stock_x) && is_own(type, n_y, stock_y);
}

static int by_layer(const void *first, const void *second) {
    const Item *a = first, *b = second;
    if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

/* The visible sprites in drawing order; -1: let Python do it. */
static Py_ssize_t gather(PyObject *sprites, Item *items) {
    Py_ssize_t found = 0;
    int sorted = 1;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(sprites); i++) {
        PyObject *sprite = PyList_GET_ITEM(sprites, i);
        if (!Py_IS_TYPE(sprite, sprite_type)) return -1;
        PyObject *interaction = PyObject_GetAttr(sprite, n_interaction);
        if (interaction == NULL) return no() - 1;
        Py_DECREF(interaction); /* compared only */
        if (interaction == invisible || interaction == removed) continue;
        if (interaction != tangible && interaction != intangible) return -1;
        if (!number(sprite, n_layer_, &items[found].layer)) return -1;
        items[found].place = i;
        items[found].sprite = sprite;
        sorted = sorted && (found == 0 || items[found - 1].layer <= items[found].layer);
        found++;
    }
    if (!sorted) qsort(items, (size_t)found, sizeof *items, by_layer);
    return found;
}

static int draw_items(const Canvas *canvas, const Item *items, Py_ssize_t count, npy_intp x, npy_intp y) {
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *sprite = items[i].sprite;
        Picture picture;
        npy_intp at_x = 0, at_y = 0;
        if (!is_own(sprite, n_render, sprite_render)) return 0;
        int plain = look(sprite, &picture) && number(sprite, n_x_, &at_x) && number(sprite, n_y_, &at_y);
        if (plain) blit(canvas, &picture, at_x - x, at_y - y);
        put_away(&picture);
        if (!plain) return 0;
    }
    return 1;
}

static int draw_sprites(const Canvas *canvas, PyObject *sprites, npy_intp x, npy_intp y) {
    Item few[FEW], *items = few;
    if (PyList_GET_SIZE(sprites) > FEW) {
        items = PyMem_Malloc((size_t)PyList_GET_SIZE(sprites) * sizeof *items);
        if (items == NULL) return 0;
    }
    Py_ssize_t count = gather(sprites, items);
    int drawn = count >= 0 && draw_items(canvas, items, count, x, y);
    if (items != few) PyMem_Free(items);
    return drawn;
}

typedef struct {
    npy_intp x, y, width, height, background;
} View;

static int view_of(PyObject *camera, PyObject *sprites, View *view) {
    return PyList_CheckExact(sprites) && class_as_it_was()
        && number(camera, n_width_, &view->width) && number(camera, n_height_, &view->height)
        && view->width >= 1 && view->width <= SIZE && view->height >= 1 && view->height <= SIZE
        && number(camera, n_background, &view->background)
        && view->background >= -128 && view->background <= 127
        && number(camera, n_x_, &view->x) && number(camera, n_y_, &view->y);
}

static PyObject *empty(npy_intp height, npy_intp width) {
    npy_intp shape[2] = {height, width};
    return PyArray_SimpleNew(2, shape, NPY_INT8);
}

static void fill(const Canvas *canvas, npy_intp colour) {
    for (npy_intp row = 0; row < canvas->height; row++)
        memset(canvas->cells + row * canvas->stride, (int)colour, (size_t)canvas->width);
}

static PyObject *given_up(PyObject *output) {
    Py_DECREF(output);
    Py_RETURN_NONE;
}

static PyObject *draw_view(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    View view;
    if (count != 2 || sprite_type == NULL) {
        PyErr_SetString(PyExc_TypeError, "view(camera, sprites) after configure()");
        return NULL;
    }
    if (!view_of(given[0], given[1], &view)) Py_RETURN_NONE;
    PyObject *output = empty(view.height, view.width);
    if (output == NULL) return NULL;
    Canvas canvas = {PyArray_DATA((PyArrayObject *)output), view.width, view.height, view.width};
    fill(&canvas, view.background);
    return draw_sprites(&canvas, given[1], view.x, view.y) ? output : given_up(output);
}

static void enlarge(const Canvas *from, npy_int8 *to, npy_intp scale) {
    for (npy_intp row = 0; row < from->height; row++, to += SIZE * scale) {
        const npy_int8 *cell = from->cells + row * from->stride;
        for (npy_intp x = 0; x < from->width; x++) memset(to + x * scale, cell[x], (size_t)scale);
        for (npy_intp copy = 1; copy < scale; copy++) memcpy(to + copy * SIZE, to, (size_t)(from->width * scale));
    }
}

/* All of Camera.render but its interfaces. */
static PyObject *draw_frame(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    View view;
    npy_intp letter_box, dimension;
    npy_int8 cells[SIZE * SIZE];
    if (count != 2 || sprite_type == NULL) {
        PyErr_SetString(PyExc_TypeError, "frame(camera, sprites) after configure()");
        return NULL;
    }
    PyObject *camera = given[0], *sprites = given[1];
    if (!is_own(camera, n_raw_render, raw_render) || !is_own(camera, n_offset, scale_and_offset)
        || !number(camera, n_dimension, &dimension) || dimension != SIZE
        || !number(camera, n_letter_box, &letter_box) || letter_box < -128 || letter_box > 127
        || !view_of(camera, sprites, &view))
        Py_RETURN_NONE;
    PyObject *output = empty(SIZE, SIZE);
    if (output == NULL) return NULL;
    npy_int8 *whole = PyArray_DATA((PyArrayObject *)output);
    npy_intp scale = smallest(SIZE / view.width, SIZE / view.height);
    npy_intp left = (SIZE - view.width * scale) / 2, top = (SIZE - view.height * scale) / 2;
    npy_int8 *inside = whole + top * SIZE + left;
    memset(whole, (int)letter_box, SIZE * SIZE);
    Canvas canvas = {scale == 1 ? inside : cells, scale == 1 ? SIZE : view.width, view.height, view.width};
    fill(&canvas, view.background);
    if (!draw_sprites(&canvas, sprites, view.x, view.y)) return given_up(output);
    if (scale > 1) enlarge(&canvas, inside, scale);
    return output;
}

/* Sprite.render; the same kind of cells as the pixels have. */
static PyObject *draw_sprite(PyObject *self, PyObject *sprite) {
    Picture picture;
    if (sprite_type == NULL || !Py_IS_TYPE(sprite, sprite_type)) Py_RETURN_NONE;
    int plain = look(sprite, &picture) && PyArray_TYPE((PyArrayObject *)picture.pixels) == NPY_INT8;
    npy_intp height = picture.height * picture.scale, width = picture.width * picture.scale;
    if (!plain || (double)height * (double)width > (double)FAR) {
        put_away(&picture);
        Py_RETURN_NONE;
    }
    PyObject *output = empty(height, width);
    if (output != NULL) copy(&picture, PyArray_DATA((PyArrayObject *)output));
    put_away(&picture);
    return output;
}

static PyObject *configure(PyObject *self, PyObject *given) {
    PyObject **places[] = {(PyObject **)&sprite_type, &tangible,         &intangible,    &invisible,
                           &removed,                  &sprite_render,    &raw_render,    &scale_and_offset,
                           &stock_visible,            &stock_layer,      &stock_x,       &stock_y};
    Py_ssize_t count = sizeof places / sizeof *places;
    if (!PyTuple_CheckExact(given) || PyTuple_GET_SIZE(given) != count || !PyType_Check(PyTuple_GET_ITEM(given, 0))) {
        PyErr_SetString(PyExc_TypeError, "configure() takes a tuple of what is arcengine's own");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) Py_XSETREF(*places[i], Py_NewRef(PyTuple_GET_ITEM(given, i)));
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"configure", configure, METH_O, "The classes, members and functions that are arcengine's own."},
    {"view", (PyCFunction)(void (*)(void))draw_view, METH_FASTCALL, "Camera._raw_render, or None."},
    {"frame", (PyCFunction)(void (*)(void))draw_frame, METH_FASTCALL, "Camera.render without interfaces, or None."},
    {"sprite", draw_sprite, METH_O, "Sprite.render, or None."},
    {"runs_between", (PyCFunction)(void (*)(void))runs_between, METH_FASTCALL, "engine.play.frames.runs_with_numpy."},
    {"apply_runs", (PyCFunction)(void (*)(void))apply_runs, METH_FASTCALL, "engine.play.frames.apply_with_numpy."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "playtest_render", .m_size = -1, .m_methods = methods,
};

static int intern_names(void) {
    struct { PyObject **place; const char *name; } names[] = {
        {&n_interaction, "_interaction"}, {&n_layer_, "_layer"}, {&n_pixels, "pixels"}, {&n_x_, "_x"},
        {&n_y_, "_y"}, {&n_rotation, "rotation"}, {&n_mirror_ud, "_mirror_ud"}, {&n_mirror_lr, "_mirror_lr"},
        {&n_scale_, "_scale"}, {&n_render, "render"}, {&n_visible, "is_visible"}, {&n_layer, "layer"},
        {&n_x, "x"}, {&n_y, "y"}, {&n_width_, "_width"}, {&n_height_, "_height"},
        {&n_background, "_background"}, {&n_letter_box, "_letter_box"}, {&n_raw_render, "_raw_render"},
        {&n_offset, "_calculate_scale_and_offset"}, {&n_dimension, "MAX_DIMENSION"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((*names[i].place = PyUnicode_InternFromString(names[i].name)) == NULL) return 0;
    return 1;
}

PyMODINIT_FUNC PyInit_playtest_render(void) {
    import_array();
    if (!intern_names()) return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddStringConstant(module, "SOURCE_DIGEST", SOURCE_DIGEST) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
