#pragma once

// Files of the package that are part of the program.
//
// In C, because its compiler copies a file's bytes. As resources that the package manager embeds in
// Swift they are literals of 107,000 numbers, 12 s of processor time in a debug build's last module.

/// A file: its name, and its text in UTF-8, which a 0 ends.
struct squall_file {
    const char *name;
    const unsigned char *text;
};

/// The rows of a list; the one after the last has no name.
///
/// Profiles have the names by which commands know them, the files of the starting package their paths
/// in a package that is called MyApp.
const struct squall_file *squall_profiles(void);
const struct squall_file *squall_race_profiles(void);
const struct squall_file *squall_starting_package(void);
