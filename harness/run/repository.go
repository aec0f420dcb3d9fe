package run

import (
	"errors"
	"os"
	"path/filepath"
)

// peersDir is the folder of the nested module of the peers, which only a checkout has.
var peersDir = filepath.Join("harness", "peers")

// Repository returns the root of the repository around the working directory.
func Repository() (root string, err error) {
	root, err = os.Getwd()
	for ; err == nil; root = filepath.Dir(root) {
		if _, missing := os.Stat(filepath.Join(root, peersDir, "go.mod")); missing == nil {
			return root, nil
		}
		if root == filepath.Dir(root) {
			err = errors.New("the working directory is not in the repository: no harness/peers/go.mod in a folder around it")
		}
	}
	return "", err
}
