#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSteppedTime.h"

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "World.h"

#if defined(__x86_64__)
enum { own_machine = EM_X86_64 };
#else
enum { own_machine = EM_AARCH64 };
#endif

static int is_go(int file, const Elf64_Phdr *notes) {
    char bytes[4096];
    return squall_bears_go_note(
        bytes, pread(file, bytes, sizeof bytes, (off_t)notes->p_offset));
}

static const char *unfit_program(int file, const Elf64_Ehdr *head) {
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != own_machine) {
        return "is built for another processor";
    }
    int has_loader = 0, is_of_go = 0;
    char loader[256] = "";
    for (int i = 0; i < head->e_phnum && i < 64; i++) {
        Elf64_Phdr part;
        if (pread(file, &part, sizeof part, (off_t)(head->e_phoff + i * sizeof part))
            != sizeof part) break;
        if (part.p_type == PT_INTERP) {
            has_loader = 1;
            long size = pread(file, loader, sizeof loader - 1, (off_t)part.p_offset);
            loader[size > 0 ? size : 0] = 0;
        }
        if (part.p_type == PT_NOTE && is_go(file, &part)) is_of_go = 1;
    }
    if (is_of_go) return "is a program of Go, which asks the system for the time by itself";
    if (!has_loader) return "is linked statically, so no library can be loaded into it";
    if (strstr(loader, "ld-musl")) return "is built for another C library (musl)";
    return NULL;
}

const char *squall_stepped_unfit(const char *path, char *next, int size) {
    next[0] = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    const char *problem = NULL;
    struct stat facts;
    Elf64_Ehdr head = {0};
    char line[256] = "";
    if (fstat(file, &facts) == 0 && facts.st_mode & (S_ISUID | S_ISGID) && geteuid() != 0) {
        problem = "runs with the rights of another user (setuid), so no library is loaded into it";
    } else if (
        pread(file, &head, sizeof head, 0) == sizeof head
        && !memcmp(head.e_ident, ELFMAG, SELFMAG)) {
        problem = unfit_program(file, &head);
    } else if (pread(file, line, sizeof line - 1, 0) > 2 && line[0] == '#' && line[1] == '!') {
        line[strcspn(line, "\n")] = 0;
        // The program of a script; of env, the one that it is to find.
        char *word = strtok(line + 2, " \t");
        if (word && strlen(word) >= 4 && !strcmp(word + strlen(word) - 4, "/env")) {
            do { word = strtok(NULL, " \t"); } while (word && (*word == '-' || strchr(word, '=')));
        }
        if (word) snprintf(next, (size_t)size, "%s", word);
    }
    close(file);
    return problem;
}
#endif
