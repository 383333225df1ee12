#ifndef WAYMARK_SERVER_HEAP_H
#define WAYMARK_SERVER_HEAP_H

// Makes the C library's heap return memory to the system. By default it keeps a heap for each of many threads, and raises the size from
// which blocks are mapped to that of the largest block freed so far, so that a server that has once received much data keeps that memory:
// under hostile requests it grew from 125 to 233 MB in three minutes; with this it stays at 72 MB. Must be called before there are threads.
void wms_give_memory_back(void);

#endif
