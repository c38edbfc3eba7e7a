#pragma once

// Makes a module of the codecs, which have headers of their own.
