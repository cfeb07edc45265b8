/* What one sprite looks like (arcengine 0.9.3, Sprite.render), without copying its pixels where that can be. */
#include <Python.h>
#include <numpy/arrayobject.h>
#include <stdint.h>
#include <string.h>

#define SIZE 64              /* no canvas is wider */
#define BLOCK 16             /* cells of a row of the blocks in which turned pictures are read */
#define FAR (1L << 30)       /* sums of a few such numbers stay far from the limits of npy_intp */

typedef struct {
    const npy_int8 *first;   /* the cell drawn at the upper left */
    npy_intp down, right;    /* bytes to the next cell */
    npy_intp height, width;  /* in cells, before scaling */
    npy_intp scale;          /* >= 1 */
    npy_int8 *own;           /* cells to free, or NULL */
    PyObject *pixels;        /* owned */
} Picture;

typedef struct {
    npy_int8 *cells;
    npy_intp stride, height, width;
} Canvas;

static PyObject *n_pixels, *n_rotation, *n_mirror_ud, *n_mirror_lr, *n_scale_;

/* Every function below that answers int says 1 for yes and 0 for "let Python do it", without an exception set. */

static int no(void) {
    PyErr_Clear();
    return 0;
}

static int number(PyObject *thing, PyObject *name, npy_intp *found) {
    PyObject *value = PyObject_GetAttr(thing, name);
    if (value == NULL) return no();
    int overflow = 0, plain = PyLong_CheckExact(value);
    long number = plain ? PyLong_AsLongAndOverflow(value, &overflow) : 0;
    Py_DECREF(value);
    if (!plain || overflow || number > FAR || number < -FAR) return 0;
    *found = number;
    return 1;
}

static int truth(PyObject *thing, PyObject *name, int *found) {
    PyObject *value = PyObject_GetAttr(thing, name);
    if (value == NULL) return no();
    int plain = PyBool_Check(value);
    *found = value == Py_True;
    Py_DECREF(value);
    return plain;
}

/* Blocks of factor x factor cells become one: the commonest colour, the highest of several; -1 where most is clear
 * (arcengine sprites._downscale_mode). */
static int reduce_block(const Picture *picture, npy_intp factor, npy_intp y, npy_intp x, npy_int8 *result) {
    npy_intp counts[128] = {0}, shown = 0, clear = 0;
    for (npy_intp dy = 0; dy < factor; dy++) {
        const npy_int8 *cell = picture->first + (y * factor + dy) * picture->down + x * factor * picture->right;
        for (npy_intp dx = 0; dx < factor; dx++, cell += picture->right) {
            shown += *cell != -1;
            clear += *cell < 0;
            if (*cell >= 0) counts[*cell]++;
        }
    }
    if (clear > shown) {
        *result = -1;
        return 1;
    }
    npy_intp most = 0, total = 0;
    for (npy_intp colour = 0; colour < 128; colour++) {
        total += counts[colour];
        if (counts[colour] >= most) most = counts[colour], *result = (npy_int8)colour;
    }
    return total == shown;   /* otherwise a -2 is to be counted, which arcengine refuses */
}

static int reduce(Picture *picture, npy_intp factor) {
    if (picture->height % factor || picture->width % factor) return 0;
    npy_intp height = picture->height / factor, width = picture->width / factor;
    npy_int8 *cells = PyMem_Malloc((size_t)(height * width));
    int plain = cells != NULL;
    for (npy_intp y = 0; plain && y < height; y++)
        for (npy_intp x = 0; plain && x < width; x++)
            plain = reduce_block(picture, factor, y, x, cells + y * width + x);
    PyMem_Free(picture->own);
    picture->first = picture->own = cells;
    picture->down = width, picture->right = 1;
    picture->height = height, picture->width = width, picture->scale = 1;
    return plain;
}

static void turn(Picture *picture, npy_intp degrees) {
    npy_intp quarters = (((-degrees) % 360 + 360) % 360) / 90; /* anticlockwise, as numpy.rot90 counts */
    npy_intp height = picture->height, width = picture->width, down = picture->down, right = picture->right;
    const npy_int8 *first = picture->first;
    if (quarters == 1) {
        picture->first = first + (width - 1) * right;
        picture->down = -right, picture->right = down;
    } else if (quarters == 2) {
        picture->first = first + (height - 1) * down + (width - 1) * right;
        picture->down = -down, picture->right = -right;
    } else if (quarters == 3) {
        picture->first = first + (height - 1) * down;
        picture->down = right, picture->right = -down;
    }
    if (quarters & 1) picture->height = width, picture->width = height;
}

static void mirror(Picture *picture, int upside_down, int left_right) {
    if (upside_down) {
        picture->first += (picture->height - 1) * picture->down;
        picture->down = -picture->down;
    }
    if (left_right) {
        picture->first += (picture->width - 1) * picture->right;
        picture->right = -picture->right;
    }
}

static void put_away(Picture *picture) {
    PyMem_Free(picture->own);
    Py_XDECREF(picture->pixels);
}

/* NumPy makes int64 of `np.full((3, 3), 9)` and its like: the same cells, if they fit. */
static int narrow(Picture *picture, PyArrayObject *pixels) {
    npy_intp height = picture->height, width = picture->width;
    npy_int8 *to = picture->own = PyMem_Malloc((size_t)(height * width));
    if (to == NULL) return 0;
    for (npy_intp y = 0; y < height; y++)
        for (npy_intp x = 0; x < width; x++) {
            npy_int64 cell = *(npy_int64 *)PyArray_GETPTR2(pixels, y, x);
            if (cell < -128 || cell > 127) return 0;
            *to++ = (npy_int8)cell;
        }
    picture->first = picture->own;
    picture->down = width, picture->right = 1;
    return 1;
}

static int take_pixels(Picture *picture) {
    if (!PyArray_CheckExact(picture->pixels)) return 0;
    PyArrayObject *pixels = (PyArrayObject *)picture->pixels;
    if (PyArray_NDIM(pixels) != 2) return 0;
    picture->height = PyArray_DIM(pixels, 0), picture->width = PyArray_DIM(pixels, 1);
    if (picture->height < 1 || picture->height > FAR || picture->width < 1 || picture->width > FAR) return 0;
    if (PyArray_DESCR(pixels)->type_num == NPY_INT64)
        return PyArray_ISBEHAVED_RO(pixels) && narrow(picture, pixels);
    picture->first = (const npy_int8 *)PyArray_DATA(pixels);
    picture->down = PyArray_STRIDE(pixels, 0), picture->right = PyArray_STRIDE(pixels, 1);
    return PyArray_TYPE(pixels) == NPY_INT8;
}

/* What a plain sprite looks like; `put_away` the picture whatever the answer. */
static int look(PyObject *sprite, Picture *picture) {
    npy_intp rotation, scale;
    int upside_down, left_right;
    memset(picture, 0, sizeof *picture);
    picture->pixels = PyObject_GetAttr(sprite, n_pixels);
    if (picture->pixels == NULL) return no();
    if (!number(sprite, n_rotation, &rotation) || !number(sprite, n_scale_, &scale)) return 0;
    if (!truth(sprite, n_mirror_ud, &upside_down) || !truth(sprite, n_mirror_lr, &left_right)) return 0;
    if (!take_pixels(picture)) return 0;
    picture->scale = scale;
    turn(picture, rotation);
    mirror(picture, upside_down, left_right);
    if (scale < 1) return reduce(picture, 1 - scale);
    /* an enlarged picture that fits no memory is Python's to refuse */
    return scale <= FAR / picture->height && scale <= FAR / picture->width;
}

/* No branch a cell: which cells are clear cannot be predicted, and this way they are drawn many at a time. */
static void blit_row(npy_int8 *restrict to, const npy_int8 *restrict from, npy_intp count) {
    for (npy_intp i = 0; i < count; i++) to[i] = from[i] >= 0 ? from[i] : to[i];
}

/* The cells of a row that do not lie side by side, because the sprite is rotated, mirrored or enlarged. */
static void gather_row(npy_int8 *restrict to, const Picture *picture, const npy_int8 *row, npy_intp from, npy_intp count) {
    npy_intp right = picture->right, scale = picture->scale;
    const npy_int8 *cell = row + from / scale * right;
    npy_intp i = 0;
    for (; scale == 1 && right == -1 && i + BLOCK <= count; i += BLOCK, cell -= BLOCK) {
        uint64_t eights[2];
        memcpy(eights, cell - (BLOCK - 1), BLOCK);
        eights[0] = __builtin_bswap64(eights[0]), eights[1] = __builtin_bswap64(eights[1]);
        memcpy(to + i, eights + 1, 8), memcpy(to + i + 8, eights, 8);
    }
    if (scale == 1)
        for (; i < count; i++, cell += right) to[i] = *cell;
    else
        for (npy_intp left = scale - from % scale; i < count; cell += right, left = scale)
            for (; left > 0 && i < count; left--) to[i++] = *cell;
}

static npy_intp largest(npy_intp a, npy_intp b) { return a > b ? a : b; }
static npy_intp smallest(npy_intp a, npy_intp b) { return a < b ? a : b; }

/* The halves of a block, one cell of each in turn. Four times this, and its columns are rows. */
static void interleave(npy_int8 *restrict to, const npy_int8 *restrict from) {
    const npy_int8 *other = from + BLOCK * BLOCK / 2;
    for (int i = 0; i < BLOCK * BLOCK / 2; i++) to[2 * i] = from[i], to[2 * i + 1] = other[i];
}

/* BLOCK rows of a picture that is not enlarged; by columns where the cells of a column lie side by side in memory. */
static void gather_rows(npy_int8 rows[BLOCK][SIZE], const Picture *picture, npy_intp x, npy_intp y, npy_intp count) {
    npy_intp right = picture->right, down = picture->down, at = 0;
    if (down != 1 && down != -1) {
        for (int i = 0; i < BLOCK; i++) gather_row(rows[i], picture, picture->first + (y + i) * down, x, count);
        return;
    }
    const npy_int8 *cell = picture->first + y * down + x * right;
    npy_int8 block[BLOCK * BLOCK], other[BLOCK * BLOCK];
    for (; at + BLOCK <= count; at += BLOCK) {
        for (int i = 0; i < BLOCK; i++, cell += right) memcpy(block + i * BLOCK, down == 1 ? cell : cell - (BLOCK - 1), BLOCK);
        interleave(other, block), interleave(block, other), interleave(other, block), interleave(block, other);
        for (int i = 0; i < BLOCK; i++) memcpy(rows[down == 1 ? i : BLOCK - 1 - i] + at, block + i * BLOCK, BLOCK);
    }
    for (; at < count; at++, cell += right)
        for (int i = 0; i < BLOCK; i++) rows[i][at] = cell[i * down];
}

static void blit(const Canvas *canvas, const Picture *picture, npy_intp x, npy_intp y) {
    npy_intp left = largest(0, x), end = smallest(canvas->width, x + picture->width * picture->scale);
    npy_intp top = largest(0, y), bottom = smallest(canvas->height, y + picture->height * picture->scale);
    if (end <= left) return;
    npy_int8 gathered[SIZE], rows[BLOCK][SIZE];
    npy_intp last = -1, row = top;
    int is_turned = picture->scale == 1 && picture->right != 1;
    /* Many rows first and then all of them: a row that was only just written in pieces is slow to read as a whole. */
    for (; is_turned && row + BLOCK <= bottom; row += BLOCK) {
        gather_rows(rows, picture, left - x, row - y, end - left);
        for (int i = 0; i < BLOCK; i++) blit_row(canvas->cells + (row + i) * canvas->stride + left, rows[i], end - left);
    }
    for (; row < bottom; row++) {
        npy_int8 *to = canvas->cells + row * canvas->stride + left;
        npy_intp number = (row - y) / picture->scale;
        const npy_int8 *from = picture->first + number * picture->down;
        if (picture->scale == 1 && picture->right == 1) {
            blit_row(to, from + (left - x), end - left);
            continue;
        }
        if (number != last) gather_row(gathered, picture, from, left - x, end - left);
        last = number;
        blit_row(to, gathered, end - left);
    }
}

/* Writes the whole picture, height * scale rows of width * scale cells. */
static void copy(const Picture *picture, npy_int8 *to) {
    npy_intp width = picture->width * picture->scale;
    for (npy_intp y = 0; y < picture->height; y++, to += width * picture->scale) {
        const npy_int8 *cell = picture->first + y * picture->down;
        if (picture->scale == 1 && picture->right == 1)
            memcpy(to, cell, (size_t)width);
        else if (picture->scale == 1)
            for (npy_intp x = 0; x < width; x++, cell += picture->right) to[x] = *cell;
        else
            for (npy_intp x = 0; x < picture->width; x++, cell += picture->right)
                memset(to + x * picture->scale, *cell, (size_t)picture->scale);
        for (npy_intp again = 1; again < picture->scale; again++) memcpy(to + again * width, to, (size_t)width);
    }
}
