/* Runs of changed cells (engine/play/frames.py): what Python does there, for two frames of 4,096 bytes at a time. */
#include <Python.h>
#include <string.h>

#define CELLS 4096
#define LONGEST_GAP 255
#define LONGEST_RUN 15
#define MOST_RUNS (CELLS + CELLS / LONGEST_GAP)

static int same_eight(const unsigned char *a, const unsigned char *b) { return memcmp(a, b, 8) == 0; }

static Py_ssize_t find_runs(const unsigned char *before, const unsigned char *after, unsigned char *gaps, unsigned char *cells) {
    Py_ssize_t count = 0, at = 0, last = 0;
    while (at < CELLS) {
        if (at % 8 == 0 && same_eight(before + at, after + at)) { at += 8; continue; }
        if (before[at] == after[at]) { at++; continue; }
        Py_ssize_t gap = at - last, end = at + 1;
        for (; gap > LONGEST_GAP; gap -= LONGEST_GAP) gaps[count] = LONGEST_GAP, cells[count++] = 0;
        while (end < CELLS && end - at < LONGEST_RUN && after[end] == after[at] && before[end] != after[end]) end++;
        gaps[count] = (unsigned char)gap;
        cells[count++] = (unsigned char)((end - at) * 16 + after[at]);
        last = at = end;
    }
    return count;
}

static int views_of(PyObject *const *given, Py_buffer *first, Py_buffer *second, int flags) {
    if (PyObject_GetBuffer(given[0], first, PyBUF_SIMPLE) < 0) return 0;
    if (PyObject_GetBuffer(given[1], second, flags) == 0) return 1;
    PyBuffer_Release(first);
    return 0;
}

static PyObject *wrong(const char *reason) {
    PyErr_SetString(PyExc_ValueError, reason);
    return NULL;
}

static PyObject *runs_between(PyObject *self, PyObject *const *given, Py_ssize_t given_count) {
    Py_buffer before, after;
    if (given_count != 2) return wrong("runs_between(before, after)");
    if (!views_of(given, &before, &after, PyBUF_SIMPLE)) return NULL;
    unsigned char gaps[MOST_RUNS], cells[MOST_RUNS];
    PyObject *runs = NULL;
    if (before.len == CELLS && after.len == CELLS) {
        Py_ssize_t count = find_runs(before.buf, after.buf, gaps, cells);
        runs = PyBytes_FromStringAndSize(NULL, 2 * count);
        if (runs != NULL) {
            memcpy(PyBytes_AS_STRING(runs), gaps, (size_t)count);
            memcpy(PyBytes_AS_STRING(runs) + count, cells, (size_t)count);
        }
    } else
        wrong("a frame has 4096 cells");
    PyBuffer_Release(&before);
    PyBuffer_Release(&after);
    return runs;
}

/* True, or False without any change if the runs reach beyond the frame. */
static PyObject *apply_runs(PyObject *self, PyObject *const *given, Py_ssize_t given_count) {
    Py_buffer runs, frame;
    if (given_count != 2) return wrong("apply_runs(runs, cells)");
    if (!views_of(given, &runs, &frame, PyBUF_WRITABLE)) return NULL;
    Py_ssize_t count = runs.len / 2, end = 0;
    const unsigned char *gaps = runs.buf, *cells = gaps + count;
    for (Py_ssize_t i = 0; i < count; i++) end += gaps[i] + (cells[i] >> 4);
    int fits = runs.len % 2 == 0 && frame.len == CELLS && end <= CELLS;
    unsigned char *to = frame.buf;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        to += gaps[i];
        memset(to, cells[i] & 15, cells[i] >> 4);
        to += cells[i] >> 4;
    }
    PyBuffer_Release(&runs);
    PyBuffer_Release(&frame);
    return PyBool_FromLong(fits);
}
